import { Arg, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { type Deletion, deletionOf } from '../../kernel/node.js';
import { connectionOf, type Page } from '../../kernel/paging.js';
import { type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { ProjectList } from '../access/graph/list-fields.js';
import { IdInput } from '../access/ids.inputs.js';
import { Project } from '../access/projects/project.entity.js';
import { CreateChangelogEntryInput, UpdateChangelogEntryInput } from './changelog.inputs.js';
import type { ChangelogService } from './changelog.service.js';
import { ChangelogEntry } from './changelog-entry.entity.js';
import { ChangelogEntryListArgs } from './changelog-lists.js';

const EntryConnection = connectionOf(ChangelogEntry, 'ChangelogEntry');

const DeletedChangelogEntry = deletionOf('DeletedChangelogEntry');

@Resolver(() => Project)
export class ChangelogResolver {
  constructor(private readonly changelog: ChangelogService) {}

  @ProjectList(() => EntryConnection, ChangelogEntryListArgs, { query: 'Newest first.' })
  changelogEntries(
    operation: OperationContext,
    projectId: string,
    args: ChangelogEntryListArgs,
  ): Promise<Page<ChangelogEntry>> {
    return this.changelog.list(operation, projectId, args);
  }

  @Query(() => ChangelogEntry)
  changelogEntry(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<ChangelogEntry> {
    return this.changelog.get(ctx, id);
  }

  @Mutation(() => ChangelogEntry, { description: 'Creates a draft.' })
  createChangelogEntry(
    @VerbContext() ctx: Context,
    @Arg('input') input: CreateChangelogEntryInput,
  ): Promise<ChangelogEntry> {
    return this.changelog.create(ctx, input);
  }

  @Mutation(() => ChangelogEntry, { description: 'Permanent: a published entry cannot be unpublished.' })
  publishChangelogEntry(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<ChangelogEntry> {
    return this.changelog.publish(ctx, input.id);
  }

  @Mutation(() => ChangelogEntry, { description: 'Published entries can be changed too.' })
  updateChangelogEntry(
    @VerbContext() ctx: Context,
    @Arg('input') input: UpdateChangelogEntryInput,
  ): Promise<ChangelogEntry> {
    return this.changelog.update(ctx, input);
  }

  @Mutation(() => DeletedChangelogEntry)
  deleteChangelogEntry(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Deletion> {
    return this.changelog.delete(ctx, input.id);
  }
}
