import { Client, type Pool } from 'pg';

/** The copy of the analytics data as PostgreSQL remembers it. */
export interface CopyState {
  /** Tells this installation from others that use the same ClickHouse. */
  installation: string;
  /** Names the copy: one that does not bear it is made anew. */
  copyId: string;
  /** Whether rows are noted for it. */
  wanted: boolean;
  /** Whether everything that was stored before it began is noted. */
  isFilled: boolean;
}

export interface Freshness {
  copyId: string;
  /** Whether it can answer: filled, not far behind, and no erasure waits for it. */
  answers: boolean;
  /** What was answered with success before this instant is in it. */
  asOf: Date;
}

/** A copy that is further behind is not asked. */
const BEHIND = "interval '1 minute'";
/** After this time without a copier the copy is given up, so that notes do not pile up forever. */
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

  /** Begins a copy anew: from now on writers note what they store. Notes for an earlier one are forgotten. */
  async begin(copyId: string): Promise<void> {
    await this.pool.query(BEGIN, [copyId]);
    await this.pool.query('delete from analytics_addition');
    await this.pool.query('delete from analytics_erasure');
    await this.pool.query('update analytics_copy set fence = pg_current_xact_id()');
  }

  /**
   * Whether every transaction that could have missed the beginning has ended: what it stored can be seen then, and everything
   * stored later is noted.
   */
  async hasBegun(): Promise<boolean> {
    const { rows } = await this.pool.query<{ begun: boolean }>(
      'select coalesce(pg_snapshot_xmin(pg_current_snapshot()) > fence, false) as begun from analytics_copy',
    );
    return rows[0]?.begun ?? false;
  }

  /** Everything that was stored before is noted. */
  async filled(): Promise<void> {
    await this.pool.query('update analytics_copy set filled_at = now()');
  }

  /** Says that the copy has its copier. */
  async seen(): Promise<void> {
    await this.pool.query('update analytics_copy set seen_at = now()');
  }

  async freshness(): Promise<Freshness | null> {
    const { rows } = await this.pool.query<Freshness>(FRESHNESS);
    return rows[0] ?? null;
  }

  /** Abandons a copy that no process has updated for a week, with what is noted for it: the next copier begins anew, as the data are then. */
  async abandon(): Promise<void> {
    await this.pool.query(`update analytics_copy set wanted = false where wanted and seen_at < now() - ${ABANDONED}`);
    for (const notes of ['analytics_addition', 'analytics_erasure'])
      await this.pool.query(`delete from ${notes} where not exists (select from analytics_copy where wanted)`);
  }
}

/** After a restore, PostgreSQL is older than the copy: the next copier begins it anew. */
export async function outdateCopy(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'quarterdeck restore' });
  await client.connect();
  try {
    const { rows } = await client.query<{ known: boolean }>(
      "select to_regclass('analytics_copy') is not null as known",
    );
    if (rows[0]?.known) await client.query('update analytics_copy set wanted = false');
  } finally {
    await client.end();
  }
}
