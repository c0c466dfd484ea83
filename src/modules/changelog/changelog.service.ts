import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import type { Page } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { listOfOwner } from '../access/graph/list-edge.js';
import { authorize } from '../access/guard.js';
import { ProjectRows } from '../access/project-rows.js';
import type { Project } from '../access/projects/project.entity.js';
import { changelogFailure } from './changelog.errors.js';
import type { CreateChangelogEntryInput, UpdateChangelogEntryInput } from './changelog.inputs.js';
import { ChangelogEntry } from './changelog-entry.entity.js';
import { CHANGELOG_ENTRIES, type ChangelogEntryListArgs } from './changelog-lists.js';

/** Release notes: drafted, then published permanently. */
export class ChangelogService {
  private readonly rows = new ProjectRows(ChangelogEntry, 'uuid', () => changelogFailure('entry_not_found'));

  constructor(private readonly events: EventLog) {}

  list(operation: OperationContext, projectId: string, args: ChangelogEntryListArgs): Promise<Page<ChangelogEntry>> {
    const where = args.status ? { status: args.status } : {};
    return listOfOwner(operation, 'changelog.view', CHANGELOG_ENTRIES, projectId, args, where);
  }

  /** Fails with `entry_not_found`. */
  get(ctx: Context, id: unknown): Promise<ChangelogEntry> {
    return this.rows.get(ctx, 'changelog.view', id);
  }

  async create(ctx: Context, input: CreateChangelogEntryInput): Promise<ChangelogEntry> {
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
    const { row: entry, project } = await this.rows.locked(ctx, 'changelog.manage', id);
    if (entry.status === 'published') return entry;
    const before = contentOf(entry);
    entry.status = 'published';
    entry.publishedAt = ctx.now();
    this.events.emitChange(ctx, 'changelog.entry.published', aboutEntry(project, entry), before, contentOf(entry));
    return entry;
  }

  /** Changes the given fields, even of published entries. Fails with `entry_not_found`. */
  async update(ctx: Context, input: UpdateChangelogEntryInput): Promise<ChangelogEntry> {
    const { row: entry, project } = await this.rows.locked(ctx, 'changelog.manage', input.id);
    const before = contentOf(entry);
    if (typeof input.title === 'string') entry.title = storableText(input.title);
    if (typeof input.body === 'string') entry.body = storableText(input.body);
    this.events.emitChange(ctx, 'changelog.entry.changed', aboutEntry(project, entry), before, contentOf(entry));
    return entry;
  }

  /** Fails with `entry_not_found`. */
  async delete(ctx: Context, id: string): Promise<{ id: string }> {
    const { row: entry, project } = await this.rows.locked(ctx, 'changelog.manage', id);
    this.events.emitChange(ctx, 'changelog.entry.deleted', aboutEntry(project, entry), contentOf(entry), null);
    ctx.em.remove(entry);
    return { id: entry.id };
  }
}

const aboutEntry = (project: Project, entry: ChangelogEntry) => ({
  project,
  object: { type: 'changelog_entry', id: entry.id },
  data: { entry_id: entry.id, title: entry.title },
});

const contentOf = ({ title, body, status }: ChangelogEntry) => ({ title, body, status });
