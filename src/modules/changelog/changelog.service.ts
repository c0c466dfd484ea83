import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import { isUuid } from '../../kernel/ids.js';
import type { Page } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import type { Action } from '../access/actions.js';
import { listOfOwner } from '../access/graph/list-edge.js';
import { authorize } from '../access/guard.js';
import { authorizeRow, lockRow } from '../access/project-rows.js';
import type { Project } from '../access/projects/project.entity.js';
import { changelogFailure } from './changelog.errors.js';
import { ChangelogEntry } from './changelog-entry.entity.js';
import { CHANGELOG_ENTRIES, type ChangelogEntryListArgs } from './changelog-lists.js';

export interface EntryChange {
  id: string;
  title?: string | null;
  body?: string | null;
}

const invisible = () => changelogFailure('entry_not_found');

/** Release notes: drafted, then published permanently. */
export class ChangelogService {
  constructor(private readonly events: EventLog) {}

  /** Entries of a project, newest first. */
  list(operation: OperationContext, projectId: string, args: ChangelogEntryListArgs): Promise<Page<ChangelogEntry>> {
    const where = args.status ? { status: args.status } : {};
    return listOfOwner(operation, 'changelog.view', CHANGELOG_ENTRIES, { id: projectId, projectId }, args, where);
  }

  /** Fails with `entry_not_found`. */
  async get(ctx: Context, id: unknown): Promise<ChangelogEntry> {
    return (await this.visible(ctx, 'changelog.view', id)).entry;
  }

  /** A draft. */
  async create(
    ctx: Context,
    input: { projectId: string; title: string; body?: string | null },
  ): Promise<ChangelogEntry> {
    const project = await authorize(ctx, 'changelog.manage', input.projectId);
    const entry = ctx.em.create(ChangelogEntry, {
      projectId: project.id,
      title: storableText(input.title),
      body: storableText(input.body ?? ''),
      status: 'draft',
      createdAt: ctx.now(),
    });
    this.events.emitChange(ctx, 'changelog.entry.created', aboutEntry(project, entry), null, contentOf(entry));
    return entry;
  }

  /** Publishes it (docs/events.md). Publishing a published entry changes nothing. */
  async publish(ctx: Context, id: unknown): Promise<ChangelogEntry> {
    const { entry, project } = await this.locked(ctx, id);
    if (entry.status === 'published') return entry;
    const before = contentOf(entry);
    entry.status = 'published';
    entry.publishedAt = ctx.now();
    this.events.emitChange(ctx, 'changelog.entry.published', aboutEntry(project, entry), before, contentOf(entry));
    return entry;
  }

  /** Changes the given fields, even of published entries. Fails with `entry_not_found`. */
  async update(ctx: Context, input: EntryChange): Promise<ChangelogEntry> {
    const { entry, project } = await this.locked(ctx, input.id);
    const before = contentOf(entry);
    if (typeof input.title === 'string') entry.title = storableText(input.title);
    if (typeof input.body === 'string') entry.body = storableText(input.body);
    this.events.emitChange(ctx, 'changelog.entry.changed', aboutEntry(project, entry), before, contentOf(entry));
    return entry;
  }

  /** Fails with `entry_not_found`. */
  async delete(ctx: Context, id: string): Promise<{ id: string }> {
    const { entry, project } = await this.locked(ctx, id);
    this.events.emitChange(ctx, 'changelog.entry.deleted', aboutEntry(project, entry), contentOf(entry), null);
    ctx.em.remove(entry);
    return { id: entry.id };
  }

  private async visible(
    ctx: Context,
    action: Action,
    id: unknown,
  ): Promise<{ entry: ChangelogEntry; project: Project }> {
    const found = isUuid(id) ? await ctx.em.findOne(ChangelogEntry, { id }) : null;
    const { row: entry, project } = await authorizeRow(ctx, action, found, invisible);
    return { entry, project };
  }

  private async locked(ctx: Context, id: unknown): Promise<{ entry: ChangelogEntry; project: Project }> {
    const found = await this.visible(ctx, 'changelog.manage', id);
    await lockRow(ctx, found.entry, invisible);
    return found;
  }
}

const aboutEntry = (project: Project, entry: ChangelogEntry) => ({
  organizationId: project.organizationId,
  projectId: project.id,
  object: { type: 'changelog_entry', id: entry.id },
  data: { entry_id: entry.id, title: entry.title },
});

const contentOf = ({ title, body, status }: ChangelogEntry) => ({ title, body, status });
