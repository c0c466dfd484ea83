import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import type { Page } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { accessFailure } from '../access.errors.js';
import type { CreateApiKeyInput } from '../access.inputs.js';
import type { CreatedKey } from '../access.results.js';
import { listOfOwner } from '../graph/list-edge.js';
import { authorize } from '../guard.js';
import { ProjectRows } from '../project-rows.js';
import type { Project } from '../projects/project.entity.js';
import { PROJECT_KEYS, type ProjectKeyListArgs, revokedOrNot } from './key-lists.js';
import { KEY_SCOPES, USUAL_SCOPES } from './key-scopes.js';
import { ProjectKey } from './project-key.entity.js';
import { newSecret, secretHash, secretHint } from './secret-keys.js';

/** Project keys. Several may be active at once, so that you can rotate them without a gap. */
export class ProjectKeyService {
  private readonly rows = new ProjectRows(ProjectKey, 'uuid', () => accessFailure('key_not_found'));

  constructor(private readonly events: EventLog) {}

  list(operation: OperationContext, projectId: string, args: ProjectKeyListArgs): Promise<Page<ProjectKey>> {
    return listOfOwner(operation, 'key.view', PROJECT_KEYS, projectId, args, revokedOrNot(args));
  }

  /** Fails with `key_not_found`. */
  get(ctx: Context, id: string): Promise<ProjectKey> {
    return this.rows.get(ctx, 'key.view', id);
  }

  /** A new key and its secret, which isn't stored and can't be shown again. Fails with `unknown_scope`. */
  async create(ctx: Context, input: CreateApiKeyInput): Promise<CreatedKey> {
    const project = await authorize(ctx, 'key.manage', input.projectId);
    const scopes = input.grantedScopes ?? input.scopes ?? [...USUAL_SCOPES];
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

  /** Revokes a key; every process rejects it within five seconds. Revoking twice changes nothing. */
  async revoke(ctx: Context, id: string): Promise<ProjectKey> {
    const { row: key, project } = await this.rows.locked(ctx, 'key.manage', id);
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
    const after = { scopes: key.scopes, rateLimit: key.rateLimit, revokedAt: key.revokedAt };
    this.events.emit(ctx, kind, {
      project,
      environment: key.environment,
      object: { type: 'key', id: key.id },
      data: { id: key.id, name: key.name },
      before: key.revokedAt ? { ...after, revokedAt: null } : null,
      after,
    });
  }
}
