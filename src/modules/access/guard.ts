import { type KeyActor, type Role, roleAtLeast, type UserActor, weakerRole } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import { commonFailure, type DomainError } from '../../kernel/errors.js';
import { isUuid } from '../../kernel/ids.js';
import { accessFailure } from './access.errors.js';
import { ACTIONS, type Action } from './actions.js';
import type { KeyScope } from './key-scopes.js';
import { Project } from './project.entity.js';
import { ProjectRole } from './project-role.entity.js';

/**
 * The project, if the caller may do this in it. A project that the caller cannot see fails with `invisible` (the object's
 * own "not found", so that foreign and unknown look the same), too weak a role with `permission_denied`.
 */
export async function authorize(
  ctx: Context,
  action: Action,
  projectId: unknown,
  invisible: () => DomainError = () => accessFailure('project_not_found'),
): Promise<Project> {
  if (ctx.actor.kind === 'system') return systemProject(ctx, projectId, invisible);
  const actor = userOf(ctx);
  if (!isUuid(projectId) || (actor.projectId !== null && actor.projectId !== projectId.toLowerCase()))
    throw invisible();
  const project = await ctx.em.findOne(Project, { id: projectId, organizationId: actor.organizationId });
  if (!project) throw invisible();
  if (!roleAtLeast(await roleInProject(ctx, actor, project.id), ACTIONS[action]))
    throw commonFailure('permission_denied');
  return project;
}

/** The signed-in caller, if the organization's role allows this. A token of one project cannot act on the organization. */
export function authorizeOrganization(ctx: Context, action: Action): UserActor {
  const actor = userOf(ctx);
  if (!roleAtLeast(weakerRole(actor.role, actor.roleCeiling), ACTIONS[action]))
    throw commonFailure('permission_denied');
  if (actor.projectId !== null && ACTIONS[action] !== 'viewer') throw commonFailure('permission_denied');
  return actor;
}

/** The signed-in caller. Fails with `unauthenticated`. */
export function userOf(ctx: Context): UserActor {
  if (ctx.actor.kind !== 'user') throw commonFailure('unauthenticated');
  return ctx.actor;
}

/** The project key that calls, if it has the scope. */
export function keyOf(ctx: Context, scope: KeyScope): KeyActor {
  if (ctx.actor.kind !== 'key') throw accessFailure('missing_api_key');
  if (!ctx.actor.scopes.has(scope)) throw accessFailure('insufficient_scope', { scope });
  return ctx.actor;
}

/** Whether the caller's role in the project is at least this one, for what is shown rather than allowed (redaction). */
export async function hasRole(ctx: Context, projectId: string, least: Role): Promise<boolean> {
  if (ctx.actor.kind === 'system') return true;
  return roleAtLeast(await roleInProject(ctx, userOf(ctx), projectId), least);
}

const roles = new WeakMap<object, Map<string, Promise<Role>>>();

/** The override of the project or the organization's role, never above the token's ceiling; read once a context. */
function roleInProject(ctx: Context, actor: UserActor, projectId: string): Promise<Role> {
  const known = roles.get(ctx.em) ?? new Map<string, Promise<Role>>();
  roles.set(ctx.em, known);
  const key = `${actor.userId} ${projectId}`;
  let role = known.get(key);
  if (!role) {
    role = ctx.em
      .findOne(ProjectRole, { projectId, userId: actor.userId })
      .then((override) => weakerRole(override?.role ?? actor.role, actor.roleCeiling));
    known.set(key, role);
  }
  return role;
}

async function systemProject(ctx: Context, projectId: unknown, invisible: () => DomainError): Promise<Project> {
  const project = isUuid(projectId) ? await ctx.em.findOne(Project, { id: projectId }) : null;
  if (!project) throw invisible();
  return project;
}
