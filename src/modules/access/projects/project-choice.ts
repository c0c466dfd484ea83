import type { Context } from '../../../kernel/context.js';
import { commonFailure } from '../../../kernel/errors.js';
import { userOf } from '../guard.js';
import { Project } from './project.entity.js';

/**
 * The project that a call means: the token's own when it is restricted to one, else the named one, else the only one of the
 * organization. Visibility and role are checked by `authorize` afterwards. Fails with `project_required`.
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
