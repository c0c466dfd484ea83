import type { Context } from '../../../kernel/context.js';
import { commonFailure } from '../../../kernel/errors.js';
import { userOf } from '../guard.js';
import { Project } from './project.entity.js';

/**
 * The project of a call: the token's own if it is restricted to one, else the named one, else the organization's only one. `authorize`
 * checks visibility and role afterwards. Fails with `project_required`.
 */
export async function chosenProject(ctx: Context, named: string | null | undefined): Promise<string> {
  const actor = userOf(ctx);
  if (actor.projectId !== null) return actor.projectId;
  if (typeof named === 'string') return named;
  const projects = await ctx.em.find(Project, { organizationId: actor.organizationId }, { fields: ['id'], limit: 2 });
  const [only, another] = projects;
  if (only === undefined || another !== undefined) throw commonFailure('project_required');
  return only.id;
}
