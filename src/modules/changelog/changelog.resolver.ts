import { Arg, Args, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { connectionOf, type Page } from '../../kernel/paging.js';
import { VerbContext } from '../../kernel/verb-context.js';
import { IdInput } from '../access/access.inputs.js';
import { ChangelogEntriesArgs, CreateChangelogEntryInput } from './changelog.inputs.js';
import type { ChangelogService } from './changelog.service.js';
import { ChangelogEntry } from './changelog-entry.entity.js';

const EntryConnection = connectionOf(ChangelogEntry, 'ChangelogEntry');

@Resolver()
export class ChangelogResolver {
  constructor(private readonly changelog: ChangelogService) {}

  @Query(() => EntryConnection, { description: 'Newest first.' })
  changelogEntries(
    @VerbContext() ctx: Context,
    @Args(() => ChangelogEntriesArgs) args: ChangelogEntriesArgs,
  ): Promise<Page<ChangelogEntry>> {
    return this.changelog.list(ctx, args, args);
  }

  @Mutation(() => ChangelogEntry, { description: 'A draft.' })
  createChangelogEntry(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateChangelogEntryInput) input: CreateChangelogEntryInput,
  ): Promise<ChangelogEntry> {
    return this.changelog.create(ctx, input);
  }

  @Mutation(() => ChangelogEntry, { description: 'For good: a published entry stays published.' })
  publishChangelogEntry(
    @VerbContext() ctx: Context,
    @Arg('input', () => IdInput) input: IdInput,
  ): Promise<ChangelogEntry> {
    return this.changelog.publish(ctx, input.id);
  }
}
