import type { Environment, KeyActor } from '../../../kernel/actor.js';
import { addressMatches, originMatches } from '../projects/origins.js';

/** A valid key, and its project's settings for callers. */
export interface KeyStanding {
  actor: KeyActor;
  authorizedOrigins: readonly string[];
  authorizedAddresses: readonly string[];
  disabledModules: readonly string[];
  billingSuspended: boolean;
  rateLimit: number | null;
}

export interface KeyRow {
  hash: string;
  id: string;
  organization_id: string;
  project_id: string;
  project_name: string;
  environment: Environment;
  scopes: string[];
  rate_limit: number | null;
  authorized_origins: string[];
  authorized_addresses: string[];
  disabled_modules: string[];
  billing_suspended: boolean;
}

/** Reads {@link KeyRow}s of `k`, a table of keys; a `where` follows. */
export const KEY_STANDING = `select k.hash, k.id, p.organization_id, k.project_id, p.name as project_name, k.environment, k.scopes, k.rate_limit,
              p.authorized_origins, p.authorized_addresses, p.disabled_modules, p.billing_suspended
         from project_key k join project p on p.id = k.project_id`;

export const standingOf = (row: KeyRow): KeyStanding => ({
  actor: {
    kind: 'key',
    keyId: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    projectName: row.project_name,
    environment: row.environment,
    scopes: scopesOf(row.scopes),
  },
  authorizedOrigins: row.authorized_origins,
  authorizedAddresses: row.authorized_addresses,
  disabledModules: row.disabled_modules,
  billingSuspended: row.billing_suspended,
  rateLimit: row.rate_limit,
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
