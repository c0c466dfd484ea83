import type { Pool } from 'pg';
import { firstUuidOf } from '../../kernel/ids.js';
import type { Selection } from './analytics-dataset.js';

interface AdditionRow {
  sequence: string;
  dataset: string;
  project_id: string | null;
  environment: string | null;
  low: string | null;
  high: string | null;
  distinct_ids: string[] | null;
  ids: string[] | null;
  done_to: string | null;
}

/** Noted rows missing from the copy. */
export interface Addition {
  /** The notes it covers. */
  sequences: string[];
  dataset: string;
  selection: Selection;
  /** Id up to which rows have been copied. */
  after: string | null;
}

export interface Erasure {
  sequence: string;
  dataset: string;
  project_id: string | null;
  environment: string | null;
  distinct_ids: string[] | null;
  ids: string[] | null;
  before: Date | null;
  /** Whether it has been applied before. */
  repeats: boolean;
}

export interface Waiting {
  rows: number;
  erasures: number;
  /** Age of the oldest note, 0 without any. */
  seconds: number;
}

/** Notes of one tenant closer than this are read together. */
const NEAR_MS = 1_000;
/** Beyond this many, notes are merged into fewer, wider ones, which copy some rows twice. */
const FOLD_FROM = 20_000;
/**
 * An insert whose connection broke may still complete until the server's own limit; then the erasure is applied again.
 */
const REPEAT_AFTER = "interval '2 minutes'";

const FOLD = `
with gone as (
  delete from analytics_addition where low is not null and done_to is null and created_at > '-infinity'
  returning *
)
insert into analytics_addition (dataset, project_id, environment, low, high, amount, created_at)
select dataset, project_id, environment, min(low), max(high), sum(amount), min(created_at)
  from gone group by dataset, project_id, environment, low / 3600000`;

const APPLIED = `
with applied as (
  update analytics_erasure set applied_at = now() where sequence = $1 and applied_at is null returning sequence
), over as (
  delete from analytics_erasure where sequence = $1 and applied_at is not null
)
insert into analytics_addition (dataset, project_id, environment, distinct_ids, amount)
select dataset, project_id, environment, distinct_ids, 0 from analytics_erasure where sequence = $1 and distinct_ids is not null`;

const WAITING = `
select coalesce(sum(a.amount), 0)::float8 as rows,
       (select count(*) from analytics_erasure where applied_at is null)::float8 as erasures,
       coalesce(extract(epoch from now() - least(
         (select greatest(min(created_at), (select started_at from analytics_copy)) from analytics_addition having count(*) > 0),
         (select min(created_at) from analytics_erasure where applied_at is null))), 0)::float8 as seconds
  from analytics_addition a`;

/** The queue of changes that the copy still lacks. */
export class AnalyticsOutbox {
  constructor(private readonly pool: Pool) {}

  /** The oldest additions; adjacent ones of one tenant are merged. */
  async additions(limit: number): Promise<Addition[]> {
    const { rows } = await this.pool.query<AdditionRow>(
      `select sequence, dataset, project_id, environment, low, high, distinct_ids, ids, done_to
         from analytics_addition order by sequence limit $1`,
      [limit],
    );
    return merged(rows);
  }

  /** Removes copied additions, and records the progress of a partial one. */
  async finish(
    sequences: readonly string[],
    partial: { sequences: readonly string[]; to: string } | null,
  ): Promise<void> {
    await this.pool.query(
      `with finished as (delete from analytics_addition where sequence = any($1))
       update analytics_addition set done_to = $3 where sequence = any($2)`,
      [sequences, partial?.sequences ?? [], partial?.to ?? null],
    );
  }

  /** Erasures to apply, oldest first: new ones, and a second time those that a pending insert may have missed. */
  async erasures(): Promise<Erasure[]> {
    const { rows } = await this.pool.query<Erasure>(
      `select sequence, dataset, project_id, environment, distinct_ids, ids, before, applied_at is not null as repeats
         from analytics_erasure where applied_at is null or applied_at < now() - ${REPEAT_AFTER} order by sequence limit 100`,
    );
    return rows;
  }

  /** Records that an erasure was applied. Rows stored for the same people in the meantime are copied again. */
  async applied({ sequence }: Erasure): Promise<void> {
    await this.pool.query(APPLIED, [sequence]);
  }

  /** Keeps the table small while nothing consumes it. */
  async fold(): Promise<void> {
    const { rows } = await this.pool.query<{ many: boolean }>(
      'select count(*) > $1 as many from (select from analytics_addition limit $1 + 1) a',
      [FOLD_FROM],
    );
    if (rows[0]?.many) await this.pool.query(FOLD);
  }

  async waiting(): Promise<Waiting> {
    const { rows } = await this.pool.query<Waiting>(WAITING);
    return rows[0] as Waiting;
  }
}

function merged(rows: readonly AdditionRow[]): Addition[] {
  const groups = Map.groupBy(
    rows.filter(({ low }) => low !== null),
    ({ dataset, project_id, environment }) => `${dataset} ${project_id} ${environment}`,
  );
  const single = rows.filter(({ low }) => low === null);
  return [...[...groups.values()].flatMap(spansOf), ...single.map(singleOf)];
}

/** The notes of one tenant as disjoint spans, oldest ids first. */
function spansOf(rows: AdditionRow[]): Addition[] {
  const spans: { low: number; high: number; rows: AdditionRow[] }[] = [];
  for (const row of rows.toSorted((a, b) => Number(a.low) - Number(b.low))) {
    const [low, high] = [Number(row.low), Number(row.high)];
    const last = spans.at(-1);
    // A partly copied one continues alone, so that its copied rows are not read again.
    if (last && row.done_to === null && last.rows[0]?.done_to === null && low <= last.high + NEAR_MS) {
      last.high = Math.max(last.high, high);
      last.rows.push(row);
    } else spans.push({ low, high, rows: [row] });
  }
  return spans.map(({ low, high, rows: of }) => {
    const { dataset, project_id, environment, done_to } = of[0] as AdditionRow;
    return {
      sequences: of.map(({ sequence }) => sequence),
      dataset,
      selection: {
        kind: 'span',
        projectId: project_id as string,
        environment: environment as string,
        from: firstUuidOf(low),
        to: firstUuidOf(high + 1),
      },
      after: done_to,
    };
  });
}

function singleOf(row: AdditionRow): Addition {
  const { sequence, dataset, project_id, environment, distinct_ids, ids, done_to } = row;
  const selection: Selection = ids
    ? { kind: 'ids', ids }
    : distinct_ids
      ? {
          kind: 'people',
          projectId: project_id as string,
          environment: environment as string,
          distinctIds: distinct_ids,
        }
      : { kind: 'all' };
  return { sequences: [sequence], dataset, selection, after: done_to };
}
