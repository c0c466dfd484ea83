import type { Role } from '#documents';
import { capitalized } from '../parts/text.js';

export const ROLES: readonly Role[] = ['viewer', 'editor', 'admin', 'owner'];

/** The roles as choices, each with its name. */
export const roleChoices = (roles: readonly Role[]): Readonly<Record<Role, string>> =>
  Object.fromEntries(roles.map((role) => [role, capitalized(role)])) as Record<Role, string>;

export const isAbove = (role: Role, own: Role): boolean => ROLES.indexOf(role) > ROLES.indexOf(own);

/** The roles that someone with this one may give. */
export const rolesUpTo = (own: Role): Role[] => ROLES.filter((role) => !isAbove(role, own));
