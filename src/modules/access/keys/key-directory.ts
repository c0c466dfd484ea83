import type { Pool } from 'pg';
import type { Clock } from '../../../kernel/clock.js';
import { GatheredCalls } from '../../../kernel/database/gathered-calls.js';
import { KEY_STANDING, type KeyRow, type KeyStanding, standingOf } from './key-standing.js';
import { isWellFormedSecret, secretHash } from './secret-keys.js';

/** Revocation must reach every process within 5 s; older entries are read again. */
const FRESH_MS = 3_000;
/** While an entry is being reread, {@link KeyDirectory.known} uses the old one until it is this old. */
const SERVED_MS = 4_500;
/** Renewals wait this long to be batched, since nobody waits for them: a fleet uses thousands of keys. */
const RENEWAL_GATHER_MS = 100;
const LAST_USED_STEP_MS = 60_000;
const MOST_ENTRIES = 50_000;
/** Keys requested during a read are read together by the next one. */
const GATHERING = { running: 1, group: MOST_ENTRIES };

interface Entry {
  readAt: number;
  standing: Promise<KeyStanding | null>;
  settled: KeyStanding | null;
  /** Being read again. */
  renewing: boolean;
}

/**
 * Project keys by secret, read from the database at most every three seconds per key. On the path of every SDK request.
 */
export class KeyDirectory {
  private readonly entries = new Map<string, Entry>();
  private readonly due = new Map<string, Entry>();
  private readonly lookups = new GatheredCalls<string, KeyStanding | null>(GATHERING, (hashes) =>
    this.standingsOf(hashes),
  );

  /** `soon` calls back after {@link RENEWAL_GATHER_MS}. */
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly soon = (renew: () => void): void => void setTimeout(renew, RENEWAL_GATHER_MS).unref(),
  ) {}

  /** The key's standing; null if it is malformed, unknown or revoked. */
  find(secret: string): Promise<KeyStanding | null> {
    const now = this.clock.now().getTime();
    const known = this.entries.get(secret);
    if (known && now - known.readAt < FRESH_MS && now >= known.readAt) return known.standing;
    if (!isWellFormedSecret(secret, 'sk_live_') && !isWellFormedSecret(secret, 'sk_test_'))
      return Promise.resolve(null);
    const entry = this.begin(secret, now);
    entry.standing.catch(() => this.entries.get(secret) === entry && this.entries.delete(secret));
    this.keep(secret, entry);
    return entry.standing;
  }

  /** The key's standing if it is cached and not too old; null says nothing about the key. */
  known(secret: string): KeyStanding | null {
    const entry = this.entries.get(secret);
    if (!entry?.settled) return null;
    const now = this.clock.now().getTime();
    const age = now - entry.readAt;
    if (age < 0 || age >= SERVED_MS) return null;
    if (age >= FRESH_MS && !entry.renewing) this.renewSoon(secret, entry);
    return entry.settled;
  }

  forget(): void {
    this.entries.clear();
  }

  private begin(secret: string, now: number): Entry {
    const standing = this.lookups.make('standing', secretHash(secret));
    const entry: Entry = { readAt: now, standing, settled: null, renewing: false };
    standing.then(
      (found) => {
        entry.settled = found;
      },
      () => undefined,
    );
    return entry;
  }

  private renewSoon(secret: string, entry: Entry): void {
    entry.renewing = true;
    if (this.due.size === 0) this.soon(() => this.renewDue());
    this.due.set(secret, entry);
  }

  private renewDue(): void {
    const due = [...this.due];
    this.due.clear();
    const now = this.clock.now().getTime();
    for (const [secret, entry] of due) if (this.entries.get(secret) === entry) this.renew(secret, entry, now);
  }

  /** Replaces the old entry once it is read, unless the cache was cleared in the meantime. */
  private renew(secret: string, old: Entry, now: number): void {
    const entry = this.begin(secret, now);
    entry.standing.then(
      () => this.entries.get(secret) === old && this.keep(secret, entry),
      () => {
        old.renewing = false;
      },
    );
  }

  private keep(secret: string, entry: Entry): void {
    if (this.entries.size >= MOST_ENTRIES) this.entries.clear();
    this.entries.set(secret, entry);
  }

  /** Marking keys as used skips rows that another process is marking, so that neither waits for the other. */
  private async standingsOf(hashes: readonly string[]): Promise<(KeyStanding | null)[]> {
    const now = this.clock.now();
    const { rows } = await this.pool.query<KeyRow>(
      `with used as (
         update project_key set last_used_at = $2 where id in (
           select id from project_key
            where hash = any($1) and revoked_at is null and (last_used_at is null or last_used_at < $3)
            for no key update skip locked
         )
       )
       ${KEY_STANDING}
        where k.hash = any($1) and k.revoked_at is null`,
      [hashes, now, new Date(now.getTime() - LAST_USED_STEP_MS)],
    );
    const found = new Map(rows.map((row) => [row.hash, standingOf(row)]));
    return hashes.map((hash) => found.get(hash) ?? null);
  }
}
