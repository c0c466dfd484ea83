import type { EventLog } from '../../../events/event-log.js';
import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { findPage, type Page, type PageArgs } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import { accessFailure } from '../access.errors.js';
import { authorize } from '../guard.js';
import type { Project } from '../projects/project.entity.js';
import { KEY_SCOPES } from './key-scopes.js';
import { ProjectKey } from './project-key.entity.js';
import { newSecret, secretHash, secretHint } from './secret-keys.js';

export interface NewKey {
  projectId: string;
  environment: Environment;
  name?: string | null;
  scopes?: string[] | null;
  rateLimit?: number | null;
}

/** Project keys. Several may be active at once, so that they are rotated without a gap. */
export class ProjectKeyService {
  constructor(private readonly events: EventLog) {}

  async list(ctx: Context, projectId: string, page: PageArgs): Promise<Page<ProjectKey>> {
    const project = await authorize(ctx, 'key.view', projectId);
    return findPage(ctx.em, ProjectKey, page, { projectId: project.id }, { createdAt: 'desc', id: 'desc' });
  }

  /** A new key and its secret, which is not stored and cannot be shown again. Fails with `unknown_scope`. */
  async create(ctx: Context, input: NewKey): Promise<{ key: ProjectKey; secret: string }> {
    const project = await authorize(ctx, 'key.manage', input.projectId);
    const scopes = input.scopes ?? [...KEY_SCOPES];
    const unknown = scopes.find((scope) => !(KEY_SCOPES as readonly string[]).includes(scope));
    if (unknown !== undefined) throw accessFailure('unknown_scope', { scope: unknown });
    const secret = newSecret(`sk_${input.environment}_`);
    const key = ctx.em.create(ProjectKey, {
      projectId: project.id,
      environment: input.environment,
      name: storableText(input.name ?? `${input.environment} key`),
      hash: secretHash(secret),
      hint: secretHint(secret),
      scopes: [...new Set(scopes)],
      rateLimit: input.rateLimit ?? null,
      createdAt: ctx.now(),
    });
    this.emit(ctx, 'access.key.created', project, key);
    return { key, secret };
  }

  /** Switches a key off; every process refuses it at the latest five seconds later. Repeating it changes nothing. */
  async revoke(ctx: Context, id: string): Promise<ProjectKey> {
    const key = isUuid(id) ? await ctx.em.findOne(ProjectKey, { id }) : null;
    const invisible = () => accessFailure('key_not_found');
    if (!key) throw invisible();
    const project = await authorize(ctx, 'key.manage', key.projectId, invisible);
    if (key.revokedAt) return key;
    key.revokedAt = ctx.now();
    this.emit(ctx, 'access.key.revoked', project, key);
    return key;
  }

  private emit(
    ctx: Context,
    kind: 'access.key.created' | 'access.key.revoked',
    project: Project,
    key: ProjectKey,
  ): void {
    this.events.emit(ctx, kind, {
      organizationId: project.organizationId,
      projectId: project.id,
      environment: key.environment,
      object: { type: 'key', id: key.id },
      data: { id: key.id, name: key.name },
      after: { scopes: key.scopes, rateLimit: key.rateLimit, revokedAt: key.revokedAt },
    });
  }
}
