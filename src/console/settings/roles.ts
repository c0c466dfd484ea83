import type { Role } from '#documents';

export const ROLES: readonly Role[] = ['viewer', 'editor', 'admin', 'owner'];

export const isAbove = (role: Role, own: Role): boolean => ROLES.indexOf(role) > ROLES.indexOf(own);

/** The roles that someone with this one may give. */
export const rolesUpTo = (own: Role): Role[] => ROLES.filter((role) => !isAbove(role, own));
