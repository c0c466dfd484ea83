import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { EventLog } from '../../events/event-log.js';
import type { Environment } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import { commonFailure } from '../../kernel/errors.js';
import { isUuid } from '../../kernel/ids.js';
import { findPage, type Page, type PageArgs } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import type { Action } from '../access/actions.js';
import { authorize } from '../access/guard.js';
import { Project } from '../access/projects/project.entity.js';
import { deployFailure } from './deploy.errors.js';
import { Release } from './release.entity.js';

export interface NewRelease {
  projectId: string;
  environment: Environment;
  version: string;
  notes?: string | null;
  commitSha?: string | null;
}

const MAX_VERSION = 200;

/** Releases of an environment and which of them is current. */
export class ReleaseService {
  constructor(private readonly events: EventLog) {}

  /** Newest first. */
  async list(
    ctx: Context,
    filter: { projectId: string; environment: Environment },
    page: PageArgs,
  ): Promise<Page<Release>> {
    const project = await authorize(ctx, 'release.view', filter.projectId);
    const where = { projectId: project.id, environment: filter.environment };
    return findPage(ctx.em, Release, page, where, { createdAt: 'desc', id: 'desc' });
  }

  async get(ctx: Context, id: unknown): Promise<Release> {
    return (await this.visible(ctx, 'release.view', id)).release;
  }

  /** Fails with `bad_version`, `version_taken`. */
  async create(ctx: Context, input: NewRelease): Promise<Release> {
    const project = await authorize(ctx, 'release.manage', input.projectId);
    const version = storableText(input.version);
    if (version === '' || version.length > MAX_VERSION || version.trim() !== version)
      throw deployFailure('bad_version');
    const release = ctx.em.create(Release, {
      projectId: project.id,
      environment: input.environment,
      version,
      notes: storableText(input.notes ?? ''),
      commitSha: input.commitSha ? storableText(input.commitSha) : null,
      createdAt: ctx.now(),
    });
    this.emit(ctx, 'deploy.release.created', project, release);
    try {
      await ctx.em.flush();
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) throw deployFailure('version_taken', { version });
      throw error;
    }
    return release;
  }

  /** Makes it the current one of its environment. Promoting the current one changes nothing. */
  async promote(ctx: Context, id: unknown): Promise<Release> {
    const { release, project } = await this.visible(ctx, 'release.manage', id);
    // Promotions of one project queue up on its row: two of them cannot both become current.
    await ctx.em.findOneOrFail(Project, { id: project.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    await this.refreshed(ctx, release);
    if (release.isCurrent) return release;
    const { projectId, environment } = release;
    await ctx.em.nativeUpdate(Release, { projectId, environment, isCurrent: true }, { isCurrent: false });
    release.isCurrent = true;
    release.promotedAt = ctx.now();
    this.emit(ctx, 'deploy.release.promoted', project, release);
    return release;
  }

  /** Deletes it; the clean-up that follows the event purges its symbols. An environment may end up without a current release. */
  async delete(ctx: Context, id: unknown): Promise<{ id: string }> {
    const { release, project } = await this.visible(ctx, 'release.manage', id);
    await this.refreshed(ctx, release);
    this.emit(ctx, 'deploy.release.deleted', project, release);
    ctx.em.remove(release);
    return { id: release.id };
  }

  private async visible(ctx: Context, action: Action, id: unknown): Promise<{ release: Release; project: Project }> {
    const invisible = () => deployFailure('release_not_found');
    const release = isUuid(id) ? await ctx.em.findOne(Release, { id }) : null;
    if (!release) throw ctx.actor.kind === 'anonymous' ? commonFailure('unauthenticated') : invisible();
    return { release, project: await authorize(ctx, action, release.projectId, invisible) };
  }

  private async refreshed(ctx: Context, release: Release): Promise<void> {
    const found = await ctx.em.findOne(
      Release,
      { id: release.id },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    );
    if (!found) throw deployFailure('release_not_found');
  }

  private emit(
    ctx: Context,
    kind: 'deploy.release.created' | 'deploy.release.promoted' | 'deploy.release.deleted',
    project: Project,
    release: Release,
  ): void {
    this.events.emit(ctx, kind, {
      organizationId: project.organizationId,
      projectId: project.id,
      environment: release.environment,
      object: { type: 'release', id: release.id },
      data: { release_id: release.id, version: release.version },
    });
  }
}
