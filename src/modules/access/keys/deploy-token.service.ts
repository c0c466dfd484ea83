import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import type { Page } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { accessFailure } from '../access.errors.js';
import type { CreateDeployTokenInput } from '../access.inputs.js';
import type { CreatedDeployToken } from '../access.results.js';
import { listOfOwner } from '../graph/list-edge.js';
import { authorize } from '../guard.js';
import { ProjectRows } from '../project-rows.js';
import type { Project } from '../projects/project.entity.js';
import { DeployToken } from './deploy-token.entity.js';
import { DEPLOY_TOKENS, type DeployTokenListArgs, revokedOrNot } from './key-lists.js';
import { newSecret, secretHash, secretHint } from './secret-keys.js';

/** Deploy tokens. Several may be active at once, so that you can rotate them without a gap. */
export class DeployTokenService {
  private readonly rows = new ProjectRows(DeployToken, 'uuid', () => accessFailure('token_not_found'));

  constructor(private readonly events: EventLog) {}

  list(operation: OperationContext, projectId: string, args: DeployTokenListArgs): Promise<Page<DeployToken>> {
    return listOfOwner(operation, 'deploy_token.manage', DEPLOY_TOKENS, projectId, args, revokedOrNot(args));
  }

  /** Fails with `token_not_found`. */
  get(ctx: Context, id: string): Promise<DeployToken> {
    return this.rows.get(ctx, 'deploy_token.manage', id);
  }

  /** A new token and its secret, which isn't stored and can't be shown again. */
  async create(ctx: Context, input: CreateDeployTokenInput): Promise<CreatedDeployToken> {
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
    const { row: token, project } = await this.rows.locked(ctx, 'deploy_token.manage', id);
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
      project,
      object: { type: 'deploy_token', id: token.id },
      data: { id: token.id, name: token.name },
      before: token.revokedAt ? { revokedAt: null } : null,
      after: { revokedAt: token.revokedAt },
    });
  }
}
