import { Arg, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { VerbContext } from '../../../kernel/verb-context.js';
import { IdInput } from '../../access/access.inputs.js';
import { CrashIssue } from './crash-issue.entity.js';
import { AssignCrashIssueInput, IgnoreCrashIssueInput, MergeCrashIssuesInput } from './issue-triage.inputs.js';
import type { IssueTriageService } from './issue-triage.service.js';

@Resolver()
export class IssueTriageResolver {
  constructor(private readonly triage: IssueTriageService) {}

  @Mutation(() => CrashIssue, { description: 'Opens a resolved or an ignored issue.' })
  reopenCrashIssue(@VerbContext() ctx: Context, @Arg('input', () => IdInput) { id }: IdInput): Promise<CrashIssue> {
    return this.triage.reopen(ctx, id);
  }

  @Mutation(() => CrashIssue, {
    description: 'Ignores an issue for good, until a time or until it has so many more events, whichever comes first.',
  })
  ignoreCrashIssue(
    @VerbContext() ctx: Context,
    @Arg('input', () => IgnoreCrashIssueInput) input: IgnoreCrashIssueInput,
  ): Promise<CrashIssue> {
    return this.triage.ignore(ctx, input);
  }

  @Mutation(() => CrashIssue, { description: 'Says who takes care of an issue.' })
  assignCrashIssue(
    @VerbContext() ctx: Context,
    @Arg('input', () => AssignCrashIssueInput) { id, userId }: AssignCrashIssueInput,
  ): Promise<CrashIssue> {
    return this.triage.assign(ctx, id, userId ?? null);
  }

  @Mutation(() => CrashIssue, {
    description:
      'Makes issues parts of another: lists leave them out, and it counts their events, those to come as well.',
  })
  mergeCrashIssues(
    @VerbContext() ctx: Context,
    @Arg('input', () => MergeCrashIssuesInput) { intoId, ids }: MergeCrashIssuesInput,
  ): Promise<CrashIssue> {
    return this.triage.merge(ctx, intoId, ids);
  }

  @Mutation(() => CrashIssue, {
    description: 'Makes a merged issue stand for itself again, with the events that it has.',
  })
  unmergeCrashIssue(@VerbContext() ctx: Context, @Arg('input', () => IdInput) { id }: IdInput): Promise<CrashIssue> {
    return this.triage.unmerge(ctx, id);
  }
}
