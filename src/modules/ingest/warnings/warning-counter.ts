import type { Pool } from 'pg';
import type { Clock } from '../../../kernel/clock.js';
import { allOrEach } from '../../../kernel/database/all-or-each.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Tenant } from '../tenant.js';
import type { WarningReason } from './warning-reasons.js';

const FLUSH_MS = 1_000;
const MOST_ENTRIES = 20_000;

interface Entry {
  tenant: Tenant;
  reason: WarningReason;
  day: string;
  count: number;
  lastAt: Date;
}

const SAVE = `
  insert into ingestion_warning as w (id, project_id, environment, key_id, reason, day, count, last_at)
  select * from unnest($1::text[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::date[], $7::bigint[], $8::timestamptz[])
      as t(id, project_id, environment, key_id, reason, day, count, last_at)
   order by project_id, environment, day, key_id, reason
  on conflict (project_id, environment, day, key_id, reason)
  do update set count = w.count + excluded.count, last_at = greatest(w.last_at, excluded.last_at)`;

/**
 * Counts warnings in memory and stores the sums every second, so that requests don't all wait for the one row of a reason. A crash loses
 * only the last second's counts.
 */
export class WarningCounter {
  private entries = new Map<string, Entry>();
  private timer: NodeJS.Timeout | null = null;
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  add(tenant: Tenant, warnings: ReadonlyMap<WarningReason, number>): void {
    if (warnings.size === 0 || this.entries.size >= MOST_ENTRIES) return;
    const now = this.clock.now();
    const day = now.toISOString().slice(0, 10);
    for (const [reason, count] of warnings) this.put({ tenant, reason, day, count, lastAt: now });
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Stores the counts; while the database is unavailable they are kept for the next time. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const entries = [...this.entries.values()];
    this.entries = new Map();
    if (entries.length > 0) this.saving = this.saving.then(() => this.save(entries));
    await this.saving;
  }

  private put(entry: Entry): void {
    const { tenant, reason, day } = entry;
    const key = `${tenant.projectId} ${tenant.environment} ${tenant.keyId} ${reason} ${day}`;
    const known = this.entries.get(key);
    if (known) {
      known.count += entry.count;
      known.lastAt = entry.lastAt;
    } else {
      this.entries.set(key, entry);
    }
  }

  private async save(entries: readonly Entry[]): Promise<void> {
    try {
      await allOrEach(entries, this.store, ({ tenant, reason }, error) =>
        this.logger.error(
          { err: error, projectId: tenant.projectId, reason },
          'ingestion warnings cannot be stored and were dropped',
        ),
      );
    } catch (error) {
      this.logger.warn({ err: error }, 'ingestion warnings could not be stored; will retry');
      for (const entry of entries) this.put(entry);
      this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
    }
  }

  private readonly store = async (entries: readonly Entry[]): Promise<void> => {
    await this.pool.query(SAVE, [
      entries.map(() => newPrefixedId('wrn')),
      entries.map(({ tenant }) => tenant.projectId),
      entries.map(({ tenant }) => tenant.environment),
      entries.map(({ tenant }) => tenant.keyId),
      entries.map(({ reason }) => reason),
      entries.map(({ day }) => day),
      entries.map(({ count }) => count),
      entries.map(({ lastAt }) => lastAt),
    ]);
  };
}
