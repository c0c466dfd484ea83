import { LockMode } from '@mikro-orm/postgresql';
import type { EventLog } from '../../../events/event-log.js';
import { roleAtLeast, type UserActor } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { commonFailure } from '../../../kernel/errors.js';
import { isUuid } from '../../../kernel/ids.js';
import type { Page } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import { DAY_MS } from '../../../kernel/values/durations.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { accessFailure } from '../access.errors.js';
import type { CreateApiTokenInput } from '../access.inputs.js';
import type { CreatedApiToken } from '../access.results.js';
import { ACTIONS, type Action } from '../actions.js';
import { pageOfOwner } from '../graph/list-edge.js';
import { authorize, refuseAboveOwn, roleHere, roleIn, userOf } from '../guard.js';
import type { TokenSigner } from '../people/token-signer.js';
import { lockRow } from '../project-rows.js';
import { loadOnce } from '../visible-node.js';
import { ApiToken } from './api-token.entity.js';
import { API_TOKENS, type ApiTokenListArgs, PROJECT_API_TOKENS, revokedOrNot } from './key-lists.js';

export class ApiTokenService {
  constructor(
    private readonly events: EventLog,
    private readonly signer: TokenSigner,
  ) {}

  /** The caller's own tokens; for an admin all of the organization's, for a project-restricted API token the project's. */
  async list(operation: OperationContext, args: ApiTokenListArgs): Promise<Page<ApiToken>> {
    const actor = userOf(operation.current);
    return pageOfOwner(operation, API_TOKENS, actor.organizationId, args, {
      ...visibleTo(actor),
      ...revokedOrNot(args),
    });
  }

  async ofProject(operation: OperationContext, projectId: string, args: ApiTokenListArgs): Promise<Page<ApiToken>> {
    const ctx = operation.current;
    await authorize(ctx, 'project.view', projectId);
    const where = { ...visibleTo(userOf(ctx)), ...revokedOrNot(args) };
    return pageOfOwner(operation, PROJECT_API_TOKENS, projectId, args, where);
  }

  /** Fails with `token_not_found`. */
  async get(ctx: Context, id: string): Promise<ApiToken> {
    const actor = userOf(ctx);
    const apiToken = isUuid(id) ? await ctx.em.findOne(ApiToken, { id, organizationId: actor.organizationId }) : null;
    if (!apiToken || !isVisible(actor, apiToken)) throw accessFailure('token_not_found');
    return apiToken;
  }

  /** The token that created another; null if none did, or none the caller sees. */
  async parent(ctx: Context, { parentId }: ApiToken): Promise<ApiToken | null> {
    return parentId === null ? null : this.visible(ctx, parentId);
  }

  /** The token with this id; null where there is none any more, or none that the caller sees. */
  async visible(ctx: Context, id: string): Promise<ApiToken | null> {
    const found = await loadOnce(ctx, ApiToken, id);
    return found && isVisible(userOf(ctx), found) ? found : null;
  }

  /**
   * Creates a token with at most the caller's own role, for 1 to 365 days; one created by an API token ends with it at the latest. Fails
   * with `role_above_own`, `project_not_found`, `invalid_token`.
   */
  async create(ctx: Context, input: CreateApiTokenInput): Promise<CreatedApiToken> {
    const actor = userOf(ctx);
    const wanted = input.projectId ?? actor.projectId;
    const projectId = wanted === null ? null : (await authorize(ctx, 'api_token.mint', wanted)).id;
    refuseAboveOwn(await roleIn(ctx, actor, projectId), input.role);
    await keepMember(ctx, actor);
    const parent = await this.parentOf(ctx, actor);
    // A JWT expires at a whole second.
    const wished = new Date(Math.floor(ctx.now().getTime() / 1_000) * 1_000 + input.expiresInDays * DAY_MS);
    const apiToken = ctx.em.create(ApiToken, {
      organizationId: actor.organizationId,
      userId: actor.userId,
      projectId,
      parentId: parent?.id ?? null,
      name: storableText(input.name),
      role: input.role,
      expiresAt: parent && parent.expiresAt < wished ? parent.expiresAt : wished,
      createdAt: ctx.now(),
    });
    const token = await this.signer.sign(
      {
        typ: 'api_token',
        sub: actor.userId,
        jti: apiToken.id,
        org: actor.organizationId,
        email: actor.email,
        role: input.role,
        issuedAt: ctx.now(),
      },
      apiToken.expiresAt,
    );
    this.events.emit(ctx, 'access.api_token.created', {
      organizationId: actor.organizationId,
      projectId,
      object: { type: 'api_token', id: apiToken.id },
      data: { id: apiToken.id, name: apiToken.name, role: input.role },
      after: { role: input.role, projectId, parentId: apiToken.parentId, expiresAt: apiToken.expiresAt },
    });
    return { apiToken, token };
  }

  /**
   * Revokes a token and all tokens it created at once: the caller's own, or any of the organization for an admin. An API token can't revoke
   * one with a wider scope than its own. Revoking twice changes nothing. Fails with `token_not_found`, `role_above_own`.
   */
  async revoke(ctx: Context, id: string): Promise<ApiToken> {
    const actor = userOf(ctx);
    const apiToken = await this.get(ctx, id);
    if (!(await isWithinReach(ctx, actor, apiToken))) throw accessFailure('role_above_own');
    await lockRow(ctx, apiToken, () => accessFailure('token_not_found'));
    let ending = apiToken.revokedAt ? [] : [apiToken];
    while (ending.length > 0) {
      for (const one of ending) this.end(ctx, one);
      // Waits for callers who are creating tokens with one of them, so that the next search finds what they made.
      await ctx.em.flush();
      ending = await ctx.em.find(ApiToken, { parentId: { $in: ending.map((one) => one.id) }, revokedAt: null });
    }
    return apiToken;
  }

  /** What the caller may do with a token from {@link list} or {@link get}. */
  async actionsOn(ctx: Context, apiToken: ApiToken): Promise<Action[]> {
    return (await isWithinReach(ctx, userOf(ctx), apiToken)) ? ['api_token.revoke'] : [];
  }

  private end(ctx: Context, apiToken: ApiToken): void {
    apiToken.revokedAt = ctx.now();
    this.events.emit(ctx, 'access.api_token.revoked', {
      organizationId: apiToken.organizationId,
      projectId: apiToken.projectId,
      object: { type: 'api_token', id: apiToken.id },
      data: { id: apiToken.id, name: apiToken.name },
      before: { revokedAt: null },
      after: { revokedAt: apiToken.revokedAt },
    });
  }

  /** The creating API token, locked so that it can't be revoked before its child is stored. */
  private async parentOf(ctx: Context, actor: UserActor): Promise<ApiToken | null> {
    if (actor.credential !== 'api_token') return null;
    const parent = await ctx.em.findOne(
      ApiToken,
      { id: actor.tokenId, revokedAt: null },
      { lockMode: LockMode.PESSIMISTIC_READ },
    );
    if (!parent) throw commonFailure('invalid_token');
    return parent;
  }

  /** Deletes tokens that expired or were revoked more than 90 days ago; the audit log keeps the record. */
  async deleteExpired(ctx: Context): Promise<void> {
    const before = new Date(ctx.now().getTime() - 90 * DAY_MS);
    await ctx.em.execute('delete from api_token where expires_at < ? or revoked_at < ?', [before, before]);
  }
}

/** Locks the membership, so that a concurrent removal finds the new token. Fails with `invalid_token` after a removal. */
async function keepMember(ctx: Context, { organizationId, userId }: UserActor): Promise<void> {
  const held = await ctx.em.execute<unknown[]>(
    'select 1 from membership where organization_id = ? and user_id = ? for key share',
    [organizationId, userId],
  );
  if (held.length === 0) throw commonFailure('invalid_token');
}

const visibleTo = (actor: UserActor): { organizationId: string; userId?: string; projectId?: string } => ({
  organizationId: actor.organizationId,
  ...(managesAll(actor) ? {} : { userId: actor.userId }),
  ...(actor.projectId === null ? {} : { projectId: actor.projectId }),
});

function isVisible(actor: UserActor, { userId, projectId }: ApiToken): boolean {
  if (actor.projectId !== null && actor.projectId !== projectId) return false;
  return userId === actor.userId || managesAll(actor);
}

/** Whether a token that the caller sees has no wider scope than the caller. */
async function isWithinReach(ctx: Context, actor: UserActor, { id, role }: ApiToken): Promise<boolean> {
  if (actor.credential !== 'api_token' || id === actor.tokenId) return true;
  return roleAtLeast(await roleIn(ctx, actor, actor.projectId), role);
}

const managesAll = (actor: UserActor): boolean =>
  actor.projectId === null && roleAtLeast(roleHere(actor), ACTIONS['api_token.manage_all']);
