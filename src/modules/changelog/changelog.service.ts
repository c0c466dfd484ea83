import { LockMode } from '@mikro-orm/postgresql';
import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import { commonFailure } from '../../kernel/errors.js';
import { isUuid } from '../../kernel/ids.js';
import { findPage, type Page, type PageArgs } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import { authorize } from '../access/guard.js';
import type { Project } from '../access/projects/project.entity.js';
import { changelogFailure } from './changelog.errors.js';
import { ChangelogEntry, type EntryStatus } from './changelog-entry.entity.js';

export interface EntryFilter {
  projectId: string;
  status?: EntryStatus | null;
}

/** Release notes: drafted, then published permanently. */
export class ChangelogService {
  constructor(private readonly events: EventLog) {}

  /** Newest first. */
  async list(ctx: Context, { projectId, status }: EntryFilter, page: PageArgs): Promise<Page<ChangelogEntry>> {
    const project = await authorize(ctx, 'changelog.view', projectId);
    const where = { projectId: project.id, ...(status ? { status } : {}) };
    return findPage(ctx.em, ChangelogEntry, page, where, { createdAt: 'desc', id: 'desc' });
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
    this.emit(ctx, 'changelog.entry.created', project, entry);
    return entry;
  }

  /** Publishes it (docs/events.md). Publishing a published entry changes nothing. */
  async publish(ctx: Context, id: unknown): Promise<ChangelogEntry> {
    const invisible = () => changelogFailure('entry_not_found');
    const found = isUuid(id) ? await ctx.em.findOne(ChangelogEntry, { id }) : null;
    if (!found) throw ctx.actor.kind === 'anonymous' ? commonFailure('unauthenticated') : invisible();
    const project = await authorize(ctx, 'changelog.manage', found.projectId, invisible);
    const entry = await ctx.em.refreshOrFail(found, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (entry.status === 'published') return entry;
    entry.status = 'published';
    entry.publishedAt = ctx.now();
    this.emit(ctx, 'changelog.entry.published', project, entry);
    return entry;
  }

  private emit(
    ctx: Context,
    kind: 'changelog.entry.created' | 'changelog.entry.published',
    project: Project,
    entry: ChangelogEntry,
  ): void {
    this.events.emit(ctx, kind, {
      organizationId: project.organizationId,
      projectId: project.id,
      object: { type: 'changelog_entry', id: entry.id },
      data: { entry_id: entry.id, title: entry.title },
    });
  }
}
