import type { Environment, KeyActor } from '../../../kernel/actor.js';
import { addressMatches, originMatches } from '../projects/origins.js';

export interface KeyStanding {
  actor: KeyActor;
  authorizedOrigins: readonly string[];
  authorizedAddresses: readonly string[];
  disabledModules: readonly string[];
  billingSuspended: boolean;
  rateLimit: number | null;
}

export interface KeyRow extends Omit<KeyStanding, 'actor'> {
  hash: string;
  id: string;
  organizationId: string;
  projectId: string;
  projectName: string;
  environment: Environment;
  scopes: string[];
}

/** Reads {@link KeyRow}s of `k`, a table of keys; a `where` follows. */
export const KEY_STANDING = `select k.hash, k.id, p.organization_id as "organizationId", k.project_id as "projectId", p.name as "projectName",
              k.environment, k.scopes, k.rate_limit as "rateLimit", p.authorized_origins as "authorizedOrigins",
              p.authorized_addresses as "authorizedAddresses", p.disabled_modules as "disabledModules",
              p.billing_suspended as "billingSuspended"
         from project_key k join project p on p.id = k.project_id`;

export const standingOf = ({
  hash: _,
  id,
  organizationId,
  projectId,
  projectName,
  environment,
  scopes,
  ...settings
}: KeyRow): KeyStanding => ({
  actor: { kind: 'key', keyId: id, organizationId, projectId, projectName, environment, scopes: scopesOf(scopes) },
  ...settings,
});

const MOST_SCOPES = 1_000;
const shared = new Map<string, ReadonlySet<string>>();

/** Keys with the same scopes share a set, to keep the data that every request touches small. */
function scopesOf(names: readonly string[]): ReadonlySet<string> {
  const key = names.join(' ');
  let scopes = shared.get(key);
  if (!scopes) {
    scopes = new Set(names);
    if (shared.size === MOST_SCOPES) shared.clear();
    shared.set(key, scopes);
  }
  return scopes;
}

/** Why a key may not be used from here; null if it may (docs/rest.md, Rules for every route). */
export function refusedPlace(
  key: KeyStanding,
  origin: string | undefined,
  address: string,
): 'unauthorized_origin' | 'unauthorized_address' | null {
  const { authorizedOrigins, authorizedAddresses } = key;
  if (origin !== undefined) {
    const isOpen =
      authorizedOrigins.length === 0 || authorizedOrigins.some((pattern) => originMatches(pattern, origin));
    return isOpen ? null : 'unauthorized_origin';
  }
  const isOpen = authorizedAddresses.length === 0 || addressMatches(authorizedAddresses, address);
  return isOpen ? null : 'unauthorized_address';
}
