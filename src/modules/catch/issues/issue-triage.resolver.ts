import { Arg, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { VerbContext } from '../../../kernel/verb-context.js';
import { IdInput } from '../../access/ids.inputs.js';
import { CrashIssue } from './crash-issue.entity.js';
import { AssignCrashIssueInput, IgnoreCrashIssueInput, MergeCrashIssuesInput } from './issue-triage.inputs.js';
import type { IssueTriageService } from './issue-triage.service.js';

@Resolver()
export class IssueTriageResolver {
  constructor(private readonly triage: IssueTriageService) {}

  @Mutation(() => CrashIssue, { description: 'Reopens a resolved or ignored issue.' })
  reopenCrashIssue(@VerbContext() ctx: Context, @Arg('input') { id }: IdInput): Promise<CrashIssue> {
    return this.triage.reopen(ctx, id);
  }

  @Mutation(() => CrashIssue, {
    description:
      'Ignores an issue permanently, until a time, or until a number of further events, whichever comes first.',
  })
  ignoreCrashIssue(@VerbContext() ctx: Context, @Arg('input') input: IgnoreCrashIssueInput): Promise<CrashIssue> {
    return this.triage.ignore(ctx, input);
  }

  @Mutation(() => CrashIssue, { description: 'Assigns an issue to a member.' })
  assignCrashIssue(
    @VerbContext() ctx: Context,
    @Arg('input') { id, userId }: AssignCrashIssueInput,
  ): Promise<CrashIssue> {
    return this.triage.assign(ctx, id, userId ?? null);
  }

  @Mutation(() => CrashIssue, {
    description:
      'Merges issues into another one: lists leave them out, and it counts their events, including future ones.',
  })
  mergeCrashIssues(
    @VerbContext() ctx: Context,
    @Arg('input') { intoId, ids }: MergeCrashIssuesInput,
  ): Promise<CrashIssue> {
    return this.triage.merge(ctx, intoId, ids);
  }

  @Mutation(() => CrashIssue, {
    description: 'Splits a merged issue off again, with its events.',
  })
  unmergeCrashIssue(@VerbContext() ctx: Context, @Arg('input') { id }: IdInput): Promise<CrashIssue> {
    return this.triage.unmerge(ctx, id);
  }
}
