import type { Pool } from 'pg';
import type { Environment, KeyActor } from '../../kernel/actor.js';
import type { Clock } from '../../kernel/clock.js';
import { isWellFormedSecret, secretHash } from './secret-keys.js';

/** Revocation must reach every process within 5 s; what is older than this is read again. */
const FRESH_MS = 3_000;
const LAST_USED_STEP_MS = 60_000;
const MOST_ENTRIES = 50_000;

export interface KeyStanding {
  actor: KeyActor;
  authorizedOrigins: readonly string[];
  authorizedAddresses: readonly string[];
  disabledModules: readonly string[];
  billingSuspended: boolean;
  rateLimit: number | null;
}

interface Entry {
  readAt: number;
  standing: Promise<KeyStanding | null>;
  /** What the promise gave, as soon as it did. */
  settled: KeyStanding | null;
}

interface Row {
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

/** Project keys by secret, read from the database at most every three seconds a key. On the path of every SDK request. */
export class KeyDirectory {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** What the key stands for; null when it is malformed, unknown or revoked. */
  find(secret: string): Promise<KeyStanding | null> {
    const now = this.clock.now().getTime();
    const known = this.entries.get(secret);
    if (known && now - known.readAt < FRESH_MS && now >= known.readAt) return known.standing;
    if (!isWellFormedSecret(secret, 'sk_live_') && !isWellFormedSecret(secret, 'sk_test_'))
      return Promise.resolve(null);
    const standing = this.read(secret);
    const entry: Entry = { readAt: now, standing, settled: null };
    standing.then(
      (found) => {
        entry.settled = found;
      },
      () => this.entries.get(secret) === entry && this.entries.delete(secret),
    );
    if (this.entries.size >= MOST_ENTRIES) this.entries.clear();
    this.entries.set(secret, entry);
    return standing;
  }

  /** What the key stands for if that is known already and still fresh; null says nothing about the key. */
  known(secret: string): KeyStanding | null {
    const entry = this.entries.get(secret);
    const age = entry ? this.clock.now().getTime() - entry.readAt : -1;
    return entry && age >= 0 && age < FRESH_MS ? entry.settled : null;
  }

  /** Forgets what was read, because a key or a project changed. */
  forget(): void {
    this.entries.clear();
  }

  private async read(secret: string): Promise<KeyStanding | null> {
    const { rows } = await this.pool.query<Row>(
      `with used as (
         update project_key set last_used_at = $2
          where hash = $1 and revoked_at is null and (last_used_at is null or last_used_at < $3)
       )
       select k.id, p.organization_id, k.project_id, p.name as project_name, k.environment, k.scopes, k.rate_limit,
              p.authorized_origins, p.authorized_addresses, p.disabled_modules, p.billing_suspended
         from project_key k join project p on p.id = k.project_id
        where k.hash = $1 and k.revoked_at is null`,
      [secretHash(secret), this.clock.now(), new Date(this.clock.now().getTime() - LAST_USED_STEP_MS)],
    );
    const row = rows[0];
    if (!row) return null;
    return {
      actor: {
        kind: 'key',
        keyId: row.id,
        organizationId: row.organization_id,
        projectId: row.project_id,
        projectName: row.project_name,
        environment: row.environment,
        scopes: new Set(row.scopes),
      },
      authorizedOrigins: row.authorized_origins,
      authorizedAddresses: row.authorized_addresses,
      disabledModules: row.disabled_modules,
      billingSuspended: row.billing_suspended,
      rateLimit: row.rate_limit,
    };
  }
}
