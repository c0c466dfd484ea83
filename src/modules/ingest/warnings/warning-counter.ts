import type { Pool } from 'pg';
import type { Clock } from '../../../kernel/clock.js';
import { SummedCounter } from '../../../kernel/database/summed-counter.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Tenant } from '../tenant.js';
import type { WarningReason } from './warning-reasons.js';

const FLUSH_MS = 1_000;

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

/** Counts warnings in memory, so that requests don't all wait for the one row of a reason. */
export class WarningCounter extends SummedCounter<Entry> {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    super('ingestion warnings', FLUSH_MS, logger);
  }

  add(tenant: Tenant, warnings: ReadonlyMap<WarningReason, number>): void {
    if (warnings.size === 0) return;
    const now = this.clock.now();
    const day = now.toISOString().slice(0, 10);
    for (const [reason, count] of warnings) this.put({ tenant, reason, day, count, lastAt: now });
  }

  protected keyOf({ tenant, reason, day }: Entry): string {
    return `${tenant.projectId} ${tenant.environment} ${tenant.keyId} ${reason} ${day}`;
  }

  protected store(entries: readonly Entry[]): Promise<unknown> {
    return this.pool.query(SAVE, [
      entries.map(() => newPrefixedId('wrn')),
      entries.map(({ tenant }) => tenant.projectId),
      entries.map(({ tenant }) => tenant.environment),
      entries.map(({ tenant }) => tenant.keyId),
      entries.map(({ reason }) => reason),
      entries.map(({ day }) => day),
      entries.map(({ count }) => count),
      entries.map(({ lastAt }) => lastAt),
    ]);
  }
}
