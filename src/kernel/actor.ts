export const ENVIRONMENTS = ['live', 'test'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export function isEnvironment(value: unknown): value is Environment {
  return value === 'live' || value === 'test';
}

/** An environment of a project: where flags, items, events and most other rows belong. */
export interface ProjectEnvironment {
  readonly projectId: string;
  readonly environment: Environment;
}

/** Roles of an organization, from weakest to strongest; a check is always "this role or higher". */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export const roleAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

export const weakerRole = (a: Role, b: Role): Role => (roleAtLeast(a, b) ? b : a);

export interface UserActor {
  kind: 'user';
  userId: string;
  email: string;
  organizationId: string;
  /** How the caller authenticated: a sign-in, an API token, or a token from the external issuer. */
  credential: 'session' | 'api_token' | 'external';
  /** The role currently granted in the organization. For permission checks use the guard's `roleHere`. */
  grantedRole: Role;
  /** The role the token was minted with: a ceiling, never a grant. */
  roleCeiling: Role;
  /** The one project an API token is restricted to. */
  projectId: string | null;
  tokenId: string;
  /** Of an API token. */
  tokenName?: string;
}

export interface KeyActor {
  kind: 'key';
  keyId: string;
  organizationId: string;
  projectId: string;
  projectName: string;
  environment: Environment;
  scopes: ReadonlySet<string>;
}

export interface SystemActor {
  kind: 'system';
  /** The part after `system:` in `actor_id`. */
  name: string;
}

/** A user who signed in with a password that someone else set, and must choose another before doing anything else. */
export interface NewcomerActor {
  kind: 'newcomer';
  user: UserActor;
}

/** Who acts. Faces establish identity; services check permission. */
export type Actor = { kind: 'anonymous' } | UserActor | NewcomerActor | KeyActor | SystemActor;

/** The API token that a user acted with, as audit entries record it; nulls for a session or an actor that is not a user. */
export function tokenRecord(actor: Actor): { actorTokenId: string | null; actorTokenName: string | null } {
  const token = actor.kind === 'user' && actor.credential === 'api_token' ? actor : null;
  return { actorTokenId: token?.tokenId ?? null, actorTokenName: token?.tokenName ?? null };
}

/** The pair that versions and audit entries record; a system actor has an empty email. */
export function actorRecord(actor: Actor): { actorId: string; actorEmail: string } {
  switch (actor.kind) {
    case 'user':
      return { actorId: actor.userId, actorEmail: actor.email };
    case 'newcomer':
      return actorRecord(actor.user);
    case 'key':
      return { actorId: `key:${actor.keyId}`, actorEmail: '' };
    case 'system':
      return { actorId: `system:${actor.name}`, actorEmail: '' };
    case 'anonymous':
      return { actorId: 'anonymous', actorEmail: '' };
  }
}
