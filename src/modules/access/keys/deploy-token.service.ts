import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { findPage, type Page, type PageArgs } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import { accessFailure } from '../access.errors.js';
import { authorize } from '../guard.js';
import type { Project } from '../projects/project.entity.js';
import { DeployToken } from './deploy-token.entity.js';
import { newSecret, secretHash, secretHint } from './secret-keys.js';

/** Deploy tokens. Several may be active at once, so that they are rotated without a gap. */
export class DeployTokenService {
  constructor(private readonly events: EventLog) {}

  async list(ctx: Context, projectId: string, page: PageArgs): Promise<Page<DeployToken>> {
    const project = await authorize(ctx, 'deploy_token.manage', projectId);
    return findPage(ctx.em, DeployToken, page, { projectId: project.id }, { createdAt: 'desc', id: 'desc' });
  }

  /** A new token and its secret, which is not stored and cannot be shown again. */
  async create(
    ctx: Context,
    input: { projectId: string; name: string },
  ): Promise<{ deployToken: DeployToken; secret: string }> {
    const project = await authorize(ctx, 'deploy_token.manage', input.projectId);
    const secret = newSecret('sk_deploy_');
    const deployToken = ctx.em.create(DeployToken, {
      projectId: project.id,
      name: storableText(input.name),
      hash: secretHash(secret),
      hint: secretHint(secret),
      createdAt: ctx.now(),
    });
    this.emit(ctx, 'access.deploy_token.created', project, deployToken);
    return { deployToken, secret };
  }

  async revoke(ctx: Context, id: string): Promise<DeployToken> {
    const token = isUuid(id) ? await ctx.em.findOne(DeployToken, { id }) : null;
    const invisible = () => accessFailure('token_not_found');
    if (!token) throw invisible();
    const project = await authorize(ctx, 'deploy_token.manage', token.projectId, invisible);
    if (token.revokedAt) return token;
    token.revokedAt = ctx.now();
    this.emit(ctx, 'access.deploy_token.revoked', project, token);
    return token;
  }

  private emit(
    ctx: Context,
    kind: 'access.deploy_token.created' | 'access.deploy_token.revoked',
    project: Project,
    token: DeployToken,
  ): void {
    this.events.emit(ctx, kind, {
      organizationId: project.organizationId,
      projectId: project.id,
      object: { type: 'deploy_token', id: token.id },
      data: { id: token.id, name: token.name },
      after: { revokedAt: token.revokedAt },
    });
  }
}
