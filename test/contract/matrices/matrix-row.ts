import type { Role } from '../../../src/kernel/actor.js';
import type { MatrixObjects } from './matrix-objects.js';

/** Who calls: nobody, a project key, the organization's members by role, and the owner of another organization. */
export const CALLERS = ['anonymous', 'key', 'viewer', 'editor', 'admin', 'owner', 'foreigner'] as const;

export type MatrixCaller = (typeof CALLERS)[number];

/** One GraphQL operation: the weakest role that may do it, and arguments that name an object of the world. */
export interface GraphqlRow {
  least: Role | 'anyone' | 'operator';
  /** Makes the arguments; called anew for every caller who is allowed where they are good once. */
  args?: (make: MatrixObjects) => Promise<Record<string, unknown>>;
  /** The operation names no object of ours, so another organization's owner may do it, for itself. */
  concernsOwnOrganization?: true;
  /** What it answers is the product's, not an organization's: every signed-in caller reads the same. */
  sameForAll?: true;
  /** Members without the role do not even learn that the object exists. */
  hidesObject?: true;
  /** Another organization's object is answered like one that is gone already, without an error, and left alone. */
  foreignIsGone?: true;
  /** API tokens are refused whatever their role. */
  needsSession?: true;
  /** It is done to the organization, so API tokens of one project are refused whatever their role. */
  ofOrganization?: true;
  /** A token of one project does it there, whatever project the arguments name. */
  goesByToken?: true;
  /** The weakest role of an API token whose user is an owner, where what it may do hangs on the user as well. */
  leastToken?: Role;
  /** The argument that is a file, sent as multipart. */
  uploads?: string;
}
