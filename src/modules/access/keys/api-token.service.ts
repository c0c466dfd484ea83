import type { EventLog } from '../../../events/event-log.js';
import { type Role, roleAtLeast, type UserActor } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { findPage, type Page, type PageArgs } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import { accessFailure } from '../access.errors.js';
import { ACTIONS } from '../actions.js';
import { authorize, authorizeOrganization, refuseAboveOwn, roleHere, roleInProject, userOf } from '../guard.js';
import { ApiToken } from './api-token.entity.js';
import type { TokenSigner } from './token-signer.js';

const DAY_MS = 86_400_000;

export interface NewApiToken {
  name: string;
  role: Role;
  projectId?: string | null;
  expiresInDays: number;
}

/** Long-lived access tokens for automation (service interface 5, rule 2). */
export class ApiTokenService {
  constructor(
    private readonly events: EventLog,
    private readonly signer: TokenSigner,
  ) {}

  /** The caller's own tokens; an admin sees all of the organization. */
  async list(ctx: Context, page: PageArgs): Promise<Page<ApiToken>> {
    const actor = authorizeOrganization(ctx, 'api_token.mint');
    const own = managesAll(actor) ? {} : { userId: actor.userId };
    return findPage(
      ctx.em,
      ApiToken,
      page,
      { organizationId: actor.organizationId, ...own },
      { createdAt: 'desc', id: 'desc' },
    );
  }

  /** Mints a token of at most the caller's own role, for 1 to 365 days. Fails with `role_above_own`, `project_not_found`. */
  async create(ctx: Context, input: NewApiToken): Promise<{ apiToken: ApiToken; token: string }> {
    const actor = userOf(ctx);
    const projectId = input.projectId ?? actor.projectId;
    if (projectId) await authorize(ctx, 'api_token.mint', projectId);
    refuseAboveOwn(projectId ? await roleInProject(ctx, actor, projectId) : roleHere(actor), input.role);
    const apiToken = new ApiToken();
    Object.assign(apiToken, {
      organizationId: actor.organizationId,
      userId: actor.userId,
      projectId,
      name: storableText(input.name),
      role: input.role,
      expiresAt: new Date(ctx.now().getTime() + input.expiresInDays * DAY_MS),
      createdAt: ctx.now(),
    });
    ctx.em.persist(apiToken);
    const token = await this.signer.sign(
      {
        typ: 'api_token',
        sub: actor.userId,
        jti: apiToken.id,
        org: actor.organizationId,
        email: actor.email,
        role: input.role,
      },
      apiToken.expiresAt,
    );
    this.events.emit(ctx, 'access.api_token.created', {
      organizationId: actor.organizationId,
      projectId,
      object: { type: 'api_token', id: apiToken.id },
      data: { id: apiToken.id, name: apiToken.name, role: input.role },
      after: { role: input.role, projectId, expiresAt: apiToken.expiresAt },
    });
    return { apiToken, token };
  }

  /** Ends a token at once: its own, or any of the organization for an admin. Repeating it changes nothing. */
  async revoke(ctx: Context, id: string): Promise<ApiToken> {
    const actor = userOf(ctx);
    const apiToken = isUuid(id) ? await ctx.em.findOne(ApiToken, { id, organizationId: actor.organizationId }) : null;
    if (!apiToken || (apiToken.userId !== actor.userId && !managesAll(actor))) throw accessFailure('token_not_found');
    if (apiToken.revokedAt) return apiToken;
    apiToken.revokedAt = ctx.now();
    this.events.emit(ctx, 'access.api_token.revoked', {
      organizationId: actor.organizationId,
      projectId: apiToken.projectId,
      object: { type: 'api_token', id: apiToken.id },
      data: { id: apiToken.id, name: apiToken.name },
      after: { revokedAt: apiToken.revokedAt },
    });
    return apiToken;
  }

  /** Deletes what expired or was revoked more than 90 days ago; the audit log keeps its trace. */
  async deleteExpired(ctx: Context): Promise<void> {
    const before = new Date(ctx.now().getTime() - 90 * DAY_MS);
    await ctx.em.execute('delete from api_token where expires_at < ? or revoked_at < ?', [before, before]);
  }
}

const managesAll = (actor: UserActor): boolean =>
  actor.projectId === null && roleAtLeast(roleHere(actor), ACTIONS['api_token.manage_all']);
