import type { UserActor } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import { isUuid } from '../../kernel/ids.js';
import { accessFailure } from './access.errors.js';
import { authorize, roleHere, userOf } from './guard.js';
import { Project } from './projects/project.entity.js';

/**
 * Operators run the installation: the owners of its first organization, and that organization's members with an email in the setting
 * OPERATORS, whatever their role. In another organization an email proves nothing, since its administrators create the accounts. An API
 * token has an operator's power only with the role owner and no project restriction.
 */
export class Operators {
  constructor(private readonly emails: readonly string[]) {}

  /** The project, in any organization, if the caller is an operator. Fails with `operators_only`, `project_not_found`. */
  async authorize(ctx: Context, projectId: string): Promise<Project> {
    if (ctx.actor.kind !== 'system' && !(await this.include(ctx, userOf(ctx)))) {
      await authorize(ctx, 'project.view', projectId);
      throw accessFailure('operators_only');
    }
    const project = isUuid(projectId) ? await ctx.em.findOne(Project, { id: projectId }) : null;
    if (!project) throw accessFailure('project_not_found');
    return project;
  }

  /** The caller, if an operator. Fails with `unauthenticated`, `operators_only`. */
  async require(ctx: Context): Promise<UserActor> {
    const actor = userOf(ctx);
    if (!(await this.include(ctx, actor))) throw accessFailure('operators_only');
    return actor;
  }

  async include(ctx: Context, actor: UserActor): Promise<boolean> {
    if (actor.projectId !== null) return false;
    if (actor.credential === 'api_token' && actor.roleCeiling !== 'owner') return false;
    if (roleHere(actor) !== 'owner' && !this.emails.includes(actor.email)) return false;
    const [first] = await ctx.em.execute<{ id: string }[]>('select id from organization order by id limit 1');
    return first?.id === actor.organizationId;
  }
}
