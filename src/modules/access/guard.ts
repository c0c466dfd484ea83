import DataLoader from 'dataloader';
import { type KeyActor, type Role, roleAtLeast, type UserActor, weakerRole } from '../../kernel/actor.js';
import type { Context, Statement } from '../../kernel/context.js';
import { commonFailure, type Denial, DomainError } from '../../kernel/errors.js';
import { isUuid } from '../../kernel/ids.js';
import type { Gate } from '../../kernel/lists/list-statements.js';
import { accessFailure } from './access.errors.js';
import { ACTIONS, type Action } from './actions.js';
import type { KeyScope } from './keys/key-scopes.js';
import { ProjectRole } from './people/project-role.entity.js';
import { Project } from './projects/project.entity.js';

/**
 * Returns the project if the caller may do this in it. A project that the caller can't see fails with `invisible` (the object's own "not
 * found", so that foreign and unknown ids look the same), an insufficient role with `permission_denied`.
 */
export async function authorize(
  ctx: Context,
  action: Action,
  projectId: unknown,
  invisible: () => DomainError = () => accessFailure('project_not_found'),
): Promise<Project> {
  if (ctx.actor.kind === 'system') return systemProject(ctx, projectId, invisible);
  const actor = userOf(ctx);
  if (!isUuid(projectId) || !isOpenTo(actor, projectId)) throw invisible();
  const project = ctx.isReading
    ? await projectLoader(ctx, actor).load(projectId.toLowerCase())
    : await ctx.em.findOne(Project, { id: projectId, organizationId: actor.organizationId });
  if (!project) throw invisible();
  if (!roleAtLeast(await roleInProject(ctx, actor, project.id), ACTIONS[action]))
    throw denied(actor, action, 'project');
  return project;
}

/**
 * Whether the caller may do this in a project, or in the organization if the project is null. A project that the caller can't see permits
 * nothing.
 */
export async function mayIn(ctx: Context, action: Action, projectId: string | null): Promise<boolean> {
  const role = roleAtOnce(ctx, projectId);
  if (role === null) return false;
  if (role) return roleAtLeast(role, ACTIONS[action]);
  // Only a project's role may have to be read.
  try {
    await authorize(ctx, action, projectId);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/**
 * The role {@link mayIn} decides by, if it is known without reading anything: null for a caller who may do nothing there, undefined if it
 * isn't known yet.
 */
export function roleAtOnce(ctx: Context, projectId: string | null): Role | null | undefined {
  const { actor } = ctx;
  if (actor.kind !== 'user') return null;
  if (projectId === null) return actor.projectId === null ? roleHere(actor) : null;
  return knownRoles(ctx).get(roleKey(actor, projectId.toLowerCase()));
}

/** Like {@link authorize}, for callers who need nothing else of the project: reads nothing if the caller's role in it is known. */
export async function permit(ctx: Context, action: Action, projectId: string): Promise<void> {
  const role = roleAtOnce(ctx, projectId);
  if (!role) await authorize(ctx, action, projectId);
  else if (!roleAtLeast(role, ACTIONS[action])) throw denied(userOf(ctx), action, 'project');
}

/**
 * Whether a project's list may be read in one statement with what {@link permit} needs: if the organization role allows it, so that little
 * is read in vain, and the rows pass through {@link projectGate}.
 */
export function readsWithProject(ctx: Context, action: Action, projectId: string): boolean {
  if (!ctx.isReading || ctx.actor.kind !== 'user' || !isUuid(projectId) || !isOpenTo(ctx.actor, projectId))
    return false;
  if (knownRoles(ctx).has(roleKey(ctx.actor, projectId.toLowerCase()))) return false;
  return roleAtLeast(roleHere(ctx.actor), ACTIONS[action]);
}

/** Lets rows through whose owner is a project of the caller's organization, and records the caller's role in it. */
export function projectGate(ctx: Context): Gate {
  const actor = userOf(ctx);
  return {
    columns: 'project.id as "projectOfRole", own.role as "overridingRole"',
    join: (sql) =>
      `join project on project.id = owner.id0 and project.organization_id = ${sql.value(actor.organizationId)}
       left join project_role own on own.project_id = project.id and own.user_id = ${sql.value(actor.userId)}`,
    admit: (row) => noteRole(ctx, actor, (row as GatedRow).projectOfRole, row as GatedRow),
  };
}

/** Whether the caller's token is for this project, or for all. */
const isOpenTo = (actor: UserActor, projectId: string): boolean =>
  actor.projectId === null || actor.projectId === projectId.toLowerCase();

/** The signed-in caller, if their organization role allows this. A token for one project neither sees nor changes the organization. */
export function authorizeOrganization(ctx: Context, action: Action): UserActor {
  const actor = userOf(ctx);
  const isOpen = actor.projectId === null && roleAtLeast(roleHere(actor), ACTIONS[action]);
  if (!isOpen) throw denied(actor, action, 'organization');
  return actor;
}

function denied(actor: UserActor, action: Action, place: Denial['in']): DomainError {
  const needs = ACTIONS[action];
  return commonFailure('permission_denied', { needs, in: place, because: reasonOf(actor, needs, place) });
}

function reasonOf(actor: UserActor, needs: Role, place: Denial['in']): Denial['because'] {
  if (place === 'organization' && actor.projectId !== null) return 'the_token_is_for_one_project';
  if (roleAtLeast(actor.roleCeiling, needs)) return 'of_your_role';
  return actor.credential === 'api_token' ? 'of_the_role_of_the_token' : 'of_your_session';
}

/**
 * The caller's role here: what the project grants, or else the organization, never above the token's ceiling. Every comparison of roles
 * uses it.
 */
export function roleHere(actor: UserActor, overriding: Role | null = null): Role {
  return weakerRole(overriding ?? actor.grantedRole, actor.roleCeiling);
}

/** Keeps callers from granting, changing or removing a role that they don't have here themselves. Fails with `role_above_own`. */
export function refuseAboveOwn(own: Role, role: Role): void {
  if (!roleAtLeast(own, role)) throw accessFailure('role_above_own');
}

/** The signed-in caller. Fails with `unauthenticated`, `password_change_required`. */
export function userOf(ctx: Context): UserActor {
  if (ctx.actor.kind === 'newcomer') throw accessFailure('password_change_required');
  if (ctx.actor.kind !== 'user') throw commonFailure('unauthenticated');
  return ctx.actor;
}

/**
 * The authenticated caller, whether or not they have chosen their own password; an API token is not a person. Fails with `unauthenticated`,
 * `session_required`.
 */
export function personOf(ctx: Context): UserActor {
  const actor = ctx.actor.kind === 'newcomer' ? ctx.actor.user : userOf(ctx);
  if (actor.credential === 'api_token') throw accessFailure('session_required');
  return actor;
}

/** The caller in a session, whether or not they have chosen their own password; null for every other caller. */
export function sessionOf({ actor }: Context): UserActor | null {
  const user = actor.kind === 'newcomer' ? actor.user : actor;
  return user.kind === 'user' && user.credential === 'session' ? user : null;
}

/** The calling project key, if it has the scope. */
export function keyOf(ctx: Context, scope: KeyScope): KeyActor {
  if (ctx.actor.kind !== 'key') throw accessFailure('missing_api_key');
  if (!ctx.actor.scopes.has(scope)) throw accessFailure('insufficient_scope', { scope });
  return ctx.actor;
}

/** Whether the caller's role in the project is at least this one, for redaction rather than permission. */
export async function hasRole(ctx: Context, projectId: string, least: Role): Promise<boolean> {
  if (ctx.actor.kind === 'system') return true;
  return roleAtLeast(await roleInProject(ctx, userOf(ctx), projectId), least);
}

const roles = new WeakMap<Context, Map<string, Role>>();

/** The caller's roles in projects that a reader has found visible to the caller. */
function knownRoles(ctx: Context): Map<string, Role> {
  const known = roles.get(ctx) ?? new Map<string, Role>();
  roles.set(ctx, known);
  return known;
}

const roleKey = (actor: UserActor, projectId: string): string => `${actor.userId} ${projectId}`;

/** {@link roleHere} in a project of the caller's organization, or in the organization itself. */
export async function roleIn(ctx: Context, actor: UserActor, projectId: string | null): Promise<Role> {
  return projectId === null ? roleHere(actor) : roleInProject(ctx, actor, projectId);
}

/** The caller's role in a project that they can see. */
export async function viewerRoleIn(ctx: Context, projectId: string): Promise<Role> {
  await permit(ctx, 'project.view', projectId);
  return roleInProject(ctx, userOf(ctx), projectId);
}

const overrides = new WeakMap<object, Map<string, Promise<Role>>>();

/** Read once per context. */
async function roleInProject(ctx: Context, actor: UserActor, projectId: string): Promise<Role> {
  const key = roleKey(actor, projectId);
  const known = knownRoles(ctx).get(key);
  if (known) return known;
  // Contexts of one transaction share its EntityManager; a reader's is created only when needed.
  const scope = ctx.isReading ? ctx : ctx.em;
  const read = overrides.get(scope) ?? new Map<string, Promise<Role>>();
  overrides.set(scope, read);
  let role = read.get(key);
  if (!role) {
    role = ctx.em
      .findOne(ProjectRole, { projectId, userId: actor.userId })
      .then((override) => roleHere(actor, override?.role));
    read.set(key, role);
  }
  return role;
}

const PROJECTS_WITH_ROLE: Statement = {
  name: 'projects-with-role',
  text: `select p.id, p.organization_id as "organizationId", p.name, p.authorized_origins as "authorizedOrigins",
                p.authorized_addresses as "authorizedAddresses", p.disabled_modules as "disabledModules",
                p.billing_suspended as "billingSuspended", p.created_at as "createdAt", p.updated_at as "updatedAt",
                r.role as "overridingRole"
           from project p left join project_role r on r.project_id = p.id and r.user_id = $3
          where p.id = any($1::uuid[]) and p.organization_id = $2`,
};

const projects = new WeakMap<Context, DataLoader<string, Project | undefined>>();

/** Projects of the actor's organization with the actor's role in each: one statement per level of an operation, each project once. */
function projectLoader(ctx: Context, actor: UserActor): DataLoader<string, Project | undefined> {
  let found = projects.get(ctx);
  if (!found) {
    found = new DataLoader(async (ids) => {
      const values = [ids, actor.organizationId, actor.userId];
      const rows = await ctx.rows<Project & GuardedRow>(PROJECTS_WITH_ROLE, values);
      for (const row of rows) noteRole(ctx, actor, row.id, row);
      return ids.map((id) => rows.find((row) => row.id === id));
    });
    projects.set(ctx, found);
  }
  return found;
}

/** What a project grants the caller: null for nothing above the organization role. */
interface GuardedRow {
  overridingRole: Role | null;
}

interface GatedRow extends GuardedRow {
  projectOfRole: string;
}

function noteRole(ctx: Context, actor: UserActor, projectId: string, { overridingRole }: GuardedRow): void {
  knownRoles(ctx).set(roleKey(actor, projectId), roleHere(actor, overridingRole));
}

async function systemProject(ctx: Context, projectId: unknown, invisible: () => DomainError): Promise<Project> {
  const project = isUuid(projectId) ? await ctx.em.findOne(Project, { id: projectId }) : null;
  if (!project) throw invisible();
  return project;
}
