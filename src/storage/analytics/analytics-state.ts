import type { Pool } from 'pg';
import { hasTable, withClient } from '../databases.js';

/** The state of the analytics copy in PostgreSQL. */
export interface CopyState {
  /** Distinguishes this installation from others on the same ClickHouse. */
  installation: string;
  /** Id of the copy; tables with another id are rebuilt. */
  copyId: string;
  /** Whether rows are noted for it. */
  wanted: boolean;
  /** Whether everything that was stored before it began is noted. */
  isFilled: boolean;
}

export interface Freshness {
  copyId: string;
  /** Whether it can be queried: complete, not far behind, and without pending erasures. */
  answers: boolean;
  /** Includes everything acknowledged before this time. */
  asOf: Date;
}

/** A copy further behind is not queried. */
const BEHIND = "interval '1 minute'";
/** After this long without a copier the copy is abandoned, so that notes do not pile up forever. */
const ABANDONED = "interval '7 days'";

const BEGIN = `
insert into analytics_copy as c (copy_id, wanted, started_at, seen_at) values ($1, true, now(), now())
on conflict (id) do update
  set copy_id = excluded.copy_id, wanted = true, fence = null, filled_at = null, started_at = now(), seen_at = now()`;

const FRESHNESS = `
select c.copy_id as "copyId", c.wanted and c.filled_at is not null and coalesce(a.oldest > now() - ${BEHIND}, true)
         and not exists (select from analytics_erasure where applied_at is null) as answers,
       case when a.oldest > '-infinity' then a.oldest else now() end as "asOf"
  from analytics_copy c, (select min(created_at) as oldest from analytics_addition) a`;

export class AnalyticsState {
  constructor(private readonly pool: Pool) {}

  async read(): Promise<CopyState | null> {
    const { rows } = await this.pool.query<CopyState>(
      `select installation, copy_id as "copyId", wanted, filled_at is not null as "isFilled" from analytics_copy`,
    );
    return rows[0] ?? null;
  }

  /** Starts a new copy: from now on writers note what they store. Notes for an earlier copy are deleted. */
  async begin(copyId: string): Promise<void> {
    await this.pool.query(BEGIN, [copyId]);
    await this.pool.query('delete from analytics_addition');
    await this.pool.query('delete from analytics_erasure');
    await this.pool.query('update analytics_copy set fence = pg_current_xact_id()');
  }

  /**
   * Whether every transaction that could have missed the start has ended: its rows are then visible, and everything
   * stored later is noted.
   */
  async hasBegun(): Promise<boolean> {
    const { rows } = await this.pool.query<{ hasBegun: boolean }>(
      'select coalesce(pg_snapshot_xmin(pg_current_snapshot()) > fence, false) as "hasBegun" from analytics_copy',
    );
    return rows[0]?.hasBegun ?? false;
  }

  /** Records that everything stored earlier is noted. */
  async filled(): Promise<void> {
    await this.pool.query('update analytics_copy set filled_at = now()');
  }

  /** Records that the copy has a copier. */
  async seen(): Promise<void> {
    await this.pool.query('update analytics_copy set seen_at = now()');
  }

  async freshness(): Promise<Freshness | null> {
    const { rows } = await this.pool.query<Freshness>(FRESHNESS);
    return rows[0] ?? null;
  }

  /**
   * Abandons a copy, and its notes, that no process has updated for a week: the next copier starts over with the data
   * as it is then.
   */
  async abandon(): Promise<void> {
    await this.pool.query(`update analytics_copy set wanted = false where wanted and seen_at < now() - ${ABANDONED}`);
    for (const notes of ['analytics_addition', 'analytics_erasure'])
      await this.pool.query(`delete from ${notes} where not exists (select from analytics_copy where wanted)`);
  }
}

/** After a restore, PostgreSQL is older than the copy, so the next copier starts over. */
export async function outdateCopy(databaseUrl: string): Promise<void> {
  const config = { connectionString: databaseUrl, application_name: 'quarterdeck restore' };
  await withClient(config, async (client) => {
    if (await hasTable(client, 'analytics_copy')) await client.query('update analytics_copy set wanted = false');
  });
}
