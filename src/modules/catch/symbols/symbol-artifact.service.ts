import type { EventLog } from '../../../events/event-log.js';
import { type Environment, isEnvironment, type ProjectEnvironment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { isPrefixedId } from '../../../kernel/ids.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Page } from '../../../kernel/paging.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { removeObjects } from '../../../storage/objects/remove-objects.js';
import { isSymbolKind, type SymbolKind } from '../../../symbols/symbol-kinds.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorize, authorizeOrganization, mayIn, userOf } from '../../access/guard.js';
import { ProjectRole } from '../../access/people/project-role.entity.js';
import { Project } from '../../access/projects/project.entity.js';
import { chosenProject } from '../../access/projects/project-choice.js';
import { catchFailure } from '../catch.errors.js';
import { RELEASE_SYMBOLS, SYMBOL_ARTIFACTS, type SymbolArtifactListArgs } from './artifact-list.js';
import { aboutArtifact, fileOf, SymbolArtifact } from './symbol-artifact.entity.js';
import { SymbolTableRow } from './symbol-table.entity.js';
import { storedField } from './upload-fields.js';

const LINK_SECONDS = 300;
const DEFAULT_LISTED = 50;
const MOST_LISTED = 200;

export interface ArtifactFilter {
  projectId?: string | null;
  environment?: string | null;
  kind?: string | null;
  release?: string | null;
}

/** Lists, deletes and serves symbol artifacts (docs/rest.md, Symbols). */
export class SymbolArtifactService {
  constructor(
    private readonly objects: ObjectStore,
    private readonly events: EventLog,
    private readonly logger: Logger,
  ) {}

  /** The newest artifacts, as many as `limit` says (1 to 200, default 50). Fails with `invalid_kind`, `invalid_environment`. */
  async newest(ctx: Context, filter: ArtifactFilter, limit: number | null): Promise<SymbolArtifact[]> {
    const where = await this.where(ctx, filter);
    const wanted = Math.min(MOST_LISTED, Math.max(1, Math.trunc(limit ?? DEFAULT_LISTED)));
    return ctx.em.find(SymbolArtifact, where, { orderBy: { uploadedAt: 'desc', id: 'desc' }, limit: wanted });
  }

  /** Artifacts of a project, newest first. Fails like {@link newest}. */
  async list(
    operation: OperationContext,
    projectId: string | null | undefined,
    args: SymbolArtifactListArgs,
  ): Promise<Page<SymbolArtifact>> {
    const id = await chosenProject(operation.current, projectId);
    await authorize(operation.current, 'catch.symbol.view', id);
    return listOfOwner(
      operation,
      'catch.symbol.view',
      SYMBOL_ARTIFACTS,
      { id, projectId: id },
      args,
      conditionsOf(args),
    );
  }

  /** Artifacts uploaded for a version, in an environment of a project, newest first. */
  ofRelease(
    operation: OperationContext,
    { projectId, environment, version }: ProjectEnvironment & { version: string },
    args: ListArgs,
  ): Promise<Page<SymbolArtifact>> {
    const owner = { id: [projectId, environment, version], projectId };
    return listOfOwner(operation, 'catch.symbol.view', RELEASE_SYMBOLS, owner, args);
  }

  /** Fails with `artifact_not_found`. */
  async get(ctx: Context, id: unknown): Promise<SymbolArtifact> {
    const artifact = await this.visible(ctx, id);
    if (artifact === null) throw catchFailure('artifact_not_found');
    await authorize(ctx, 'catch.symbol.view', artifact.projectId, () => catchFailure('artifact_not_found'));
    return artifact;
  }

  /** Deletes an artifact with its tables; symbolicated events stay as they are. Fails with `artifact_not_found`, `permission_denied`. */
  async delete(ctx: Context, id: unknown): Promise<void> {
    const artifact = await this.visible(ctx, id);
    if (artifact === null) throw catchFailure('artifact_not_found');
    await this.removeAuthorized(ctx, artifact);
  }

  /** Like {@link delete}, except that unknown, malformed and foreign ids change nothing and don't fail. */
  async deleteIfThere(ctx: Context, id: unknown): Promise<void> {
    const artifact = await this.visible(ctx, id);
    if (artifact === null) await this.authorizeNothing(ctx);
    else await this.removeAuthorized(ctx, artifact);
  }

  /** Removes artifacts with their tables in this transaction, and their objects after it. */
  async remove(ctx: Context, artifact: SymbolArtifact, project: { id: string; organizationId: string }): Promise<void> {
    const tables = await ctx.em.find(SymbolTableRow, { artifactId: artifact.id });
    const removed = await ctx.em.nativeDelete(SymbolArtifact, { id: artifact.id });
    await ctx.em.nativeDelete(SymbolTableRow, { artifactId: artifact.id });
    if (removed === 0) return;
    this.events.emitChange(ctx, 'catch.symbol.deleted', aboutArtifact(project, artifact), fileOf(artifact), null);
    const paths = [...new Set([artifact.storagePath, ...tables.map((table) => table.storagePath)])];
    ctx.afterCommit(() => removeObjects(this.objects, paths, this.logger));
  }

  /** A link that downloads the file for five minutes. Fails with `artifact_not_found`. */
  async downloadUrl(ctx: Context, id: unknown): Promise<string> {
    return this.linkTo(ctx, await this.get(ctx, id));
  }

  /** Like {@link downloadUrl}, for an artifact that the caller has been shown. */
  linkTo(ctx: Context, { storagePath, originalName }: SymbolArtifact): Promise<string> {
    return this.objects.temporaryUrl(storagePath, {
      now: ctx.now(),
      expiresInSeconds: LINK_SECONDS,
      fileName: originalName,
    });
  }

  private async removeAuthorized(ctx: Context, artifact: SymbolArtifact): Promise<void> {
    const project = await authorize(ctx, 'catch.symbol.delete', artifact.projectId);
    await this.remove(ctx, artifact, project);
  }

  private async where(ctx: Context, filter: ArtifactFilter) {
    const project = await authorize(ctx, 'catch.symbol.view', await chosenProject(ctx, filter.projectId));
    return { projectId: project.id, ...conditionsOf(filter) };
  }

  /** The artifact, if it is in a project of the caller's organization that the token may see. */
  private async visible(ctx: Context, id: unknown): Promise<SymbolArtifact | null> {
    const actor = userOf(ctx);
    if (!isPrefixedId('sym', id)) return null;
    const artifact = await ctx.em.findOne(SymbolArtifact, { id });
    if (artifact === null || (actor.projectId !== null && actor.projectId !== artifact.projectId)) return null;
    const project = await ctx.em.findOne(Project, { id: artifact.projectId, organizationId: actor.organizationId });
    return project === null ? null : artifact;
  }

  /** The role check for a delete that deletes nothing, which may have been in any project. */
  private async authorizeNothing(ctx: Context): Promise<void> {
    const actor = userOf(ctx);
    if (actor.projectId !== null) return void (await authorize(ctx, 'catch.symbol.delete', actor.projectId));
    const own = await ctx.em.find(ProjectRole, { userId: actor.userId });
    for (const { projectId } of own) if (await mayIn(ctx, 'catch.symbol.delete', projectId)) return;
    authorizeOrganization(ctx, 'catch.symbol.delete');
  }
}

/** The conditions for artifacts. Fails with `invalid_kind`, `invalid_environment`. */
function conditionsOf({ environment, kind, release }: ArtifactFilter): {
  environment?: Environment;
  kind?: SymbolKind;
  release?: string;
} {
  if (kind != null && !isSymbolKind(kind)) throw catchFailure('invalid_kind');
  if (environment != null && !isEnvironment(environment)) throw catchFailure('invalid_environment');
  return {
    ...(environment == null ? {} : { environment }),
    ...(kind == null ? {} : { kind }),
    ...(release == null ? {} : { release: storedField(release) }),
  };
}
