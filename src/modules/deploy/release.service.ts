import { LockMode } from '@mikro-orm/postgresql';
import type { EventLog } from '../../events/event-log.js';
import type { Environment } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import { unlessTaken } from '../../kernel/database/unless-taken.js';
import type { Page } from '../../kernel/paging.js';
import { isLongerThan, storableText } from '../../kernel/text.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { listOfOwner } from '../access/graph/list-edge.js';
import { authorize } from '../access/guard.js';
import { lockRow, ProjectRows } from '../access/project-rows.js';
import { Project } from '../access/projects/project.entity.js';
import { deployFailure } from './deploy.errors.js';
import type { CreateReleaseInput, UpdateReleaseInput } from './deploy.inputs.js';
import { Release } from './release.entity.js';
import { RELEASES, type ReleaseListArgs } from './release-lists.js';

const MAX_VERSION = 200;

const invisible = () => deployFailure('release_not_found');

export class ReleaseService {
  private readonly rows = new ProjectRows(Release, 'uuid', invisible);

  constructor(private readonly events: EventLog) {}

  list(
    operation: OperationContext,
    projectId: string,
    { environment, ...args }: ReleaseListArgs,
  ): Promise<Page<Release>> {
    return listOfOwner(operation, 'release.view', RELEASES, projectId, args, { environment });
  }

  /** Fails with `release_not_found`. */
  async getByVersion(ctx: Context, projectId: string, environment: Environment, version: string): Promise<Release> {
    const project = await authorize(ctx, 'release.view', projectId);
    const release = await ctx.em.findOne(Release, { projectId: project.id, environment, version });
    if (!release) throw invisible();
    return release;
  }

  get(ctx: Context, id: unknown): Promise<Release> {
    return this.rows.get(ctx, 'release.view', id);
  }

  /** Fails with `bad_version`, `version_taken`. */
  async create(ctx: Context, input: CreateReleaseInput): Promise<Release> {
    const project = await authorize(ctx, 'release.manage', input.projectId);
    const version = storableText(input.version);
    if (version === '' || isLongerThan(version, MAX_VERSION) || version.trim() !== version)
      throw deployFailure('bad_version');
    const release = ctx.em.create(Release, {
      projectId: project.id,
      environment: input.environment,
      version,
      notes: storableText(input.notes ?? ''),
      commitSha: input.commitSha ? storableText(input.commitSha) : null,
      createdAt: ctx.now(),
    });
    this.events.emitChange(ctx, 'deploy.release.created', aboutRelease(project, release), null, detailsOf(release));
    await unlessTaken(ctx.em.flush(), () => deployFailure('version_taken', { version }));
    return release;
  }

  /** Changes the given fields; null removes the commit. Fails with `release_not_found`. */
  async update(ctx: Context, input: UpdateReleaseInput): Promise<Release> {
    const { row: release, project } = await this.rows.locked(ctx, 'release.manage', input.id);
    const before = detailsOf(release);
    if (typeof input.notes === 'string') release.notes = storableText(input.notes);
    if (input.commitSha !== undefined) release.commitSha = input.commitSha ? storableText(input.commitSha) : null;
    this.events.emitChange(ctx, 'deploy.release.changed', aboutRelease(project, release), before, detailsOf(release));
    return release;
  }

  /** Makes it the current release of its environment. Promoting the current one changes nothing. */
  async promote(ctx: Context, id: unknown): Promise<Release> {
    const { row: release, project } = await this.rows.visible(ctx, 'release.manage', id);
    // Promotions in one project queue up on its row, so two can't both become current.
    await ctx.em.findOneOrFail(Project, { id: project.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    await lockRow(ctx, release, invisible);
    if (release.isCurrent) return release;
    const { projectId, environment } = release;
    const [previous] = await ctx.em.execute<{ version: string }[]>(
      `update deploy_release set is_current = false
        where project_id = ? and environment = ? and is_current returning version`,
      [projectId, environment],
    );
    release.isCurrent = true;
    release.promotedAt = ctx.now();
    const [before, after] = [{ current: previous?.version ?? null }, { current: release.version }];
    this.events.emitChange(ctx, 'deploy.release.promoted', aboutRelease(project, release), before, after);
    return release;
  }

  /** Deletes it; the cleanup that follows the event purges its symbols. An environment may end up without a current release. */
  async delete(ctx: Context, id: unknown): Promise<{ id: string }> {
    const { row: release, project } = await this.rows.locked(ctx, 'release.manage', id);
    this.events.emitChange(ctx, 'deploy.release.deleted', aboutRelease(project, release), detailsOf(release), null);
    ctx.em.remove(release);
    return { id: release.id };
  }
}

const aboutRelease = (project: Project, release: Release) => ({
  project,
  environment: release.environment,
  object: { type: 'release', id: release.id },
  data: { release_id: release.id, version: release.version },
});

const detailsOf = ({ notes, commitSha }: Release) => ({ notes, commitSha });
