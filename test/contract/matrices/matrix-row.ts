import type { Role } from '../../../src/kernel/actor.js';
import type { MatrixObjects } from './matrix-objects.js';

/** The callers: nobody, a project key, the organization's members by role, and the owner of another organization. */
export const CALLERS = ['anonymous', 'key', 'viewer', 'editor', 'admin', 'owner', 'foreigner'] as const;

export type MatrixCaller = (typeof CALLERS)[number];

/** One GraphQL operation: the weakest role that may run it, and arguments that name an object of the world. */
export interface GraphqlRow {
  least: Role | 'anyone' | 'operator';
  /** Makes the arguments; called anew for each permitted caller if they work only once. */
  args?: (make: MatrixObjects) => Promise<Record<string, unknown>>;
  /** The operation names no object of ours, so another organization's owner may run it on their own. */
  concernsOwnOrganization?: true;
  /** The answer belongs to the product, not to an organization: every signed-in caller reads the same. */
  sameForAll?: true;
  /** Members without the role do not even learn that the object exists. */
  hidesObject?: true;
  /** Another organization's object gets the same answer as one already gone, without an error, and is left alone. */
  foreignIsGone?: true;
  /** API tokens are refused whatever their role. */
  needsSession?: true;
  /** It affects the whole organization, so API tokens of one project are refused whatever their role. */
  ofOrganization?: true;
  /** With a token of one project it applies to that project, whatever project the arguments name. */
  goesByToken?: true;
  /** The weakest role of an owner's API token that may run it, if the permissions also depend on the user. */
  leastToken?: Role;
  /** The argument that is a file, sent as multipart. */
  uploads?: string;
}
