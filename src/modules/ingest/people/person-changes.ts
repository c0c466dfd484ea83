import type { Pool } from 'pg';
import type { ProjectEnvironment } from '../../../kernel/actor.js';

/** An id whose person's facts changed, or that now belongs to another person. */
export interface ChangedId extends ProjectEnvironment {
  readonly distinctId: string;
}

export interface PersonChanges {
  /** Where to continue: the transactions that this answer knows about. */
  readonly position: string;
  /** Null if too much changed to be reported one by one. */
  readonly ids: readonly ChangedId[] | null;
  /** Deleted persons, whose ids are no longer known, and those that these ids belonged to before. */
  readonly gone: ReadonlySet<string>;
}

/** More ids than this aren't reported one by one. */
const MOST_IDS = 10_000;

/**
 * Transactions end in a different order than they begin. New changes are therefore those that this statement sees and the previous one
 * didn't (PostgreSQL, pg_snapshot), whatever their number. Numbers not issued yet come from another database, restored from a backup.
 */
const CHANGES = `
  with seen as materialized (select pg_current_snapshot() as now, $1::text::pg_snapshot as before),
  changed as materialized (
    select c.project_id, c.environment, c.person_ids, c.gone_ids from seen, person_change c
     where c.transaction >= pg_snapshot_xmin(seen.before) and c.transaction < pg_snapshot_xmax(seen.now)
       and not pg_visible_in_snapshot(c.transaction, seen.before)
  ), counted as materialized (
    select coalesce(sum(cardinality(person_ids) + cardinality(gone_ids)), 0) <= ${MOST_IDS} as are_few from changed
  ), ids as (
    select i.project_id, i.environment, i.distinct_id, null as gone
      from changed c cross join unnest(c.person_ids) as p(id) join person_id i on i.person_id = p.id
    union all
    select null, null, null, gone from changed c cross join unnest(c.gone_ids) as gone
  )
  select seen.now::text as position, are_few as "areFew", i.project_id as "projectId", i.environment, i.distinct_id as "distinctId", gone
    from seen cross join counted left join ids i on are_few`;

type Row = { position: string; areFew: boolean; gone: string | null } & ({ projectId: null } | ChangedId);

/** The current position: changes from here on can be requested. */
export async function presentPosition(pool: Pick<Pool, 'query'>): Promise<string> {
  const { rows } = await pool.query<{ position: string }>('select pg_current_snapshot()::text as position');
  return (rows[0] as { position: string }).position;
}

/**
 * All ids whose facts were changed by transactions that ended since a position, within the last two hours. Called after every commit or
 * never, by one process or many: each change is reported once to each position.
 */
export async function changesSince(pool: Pick<Pool, 'query'>, position: string): Promise<PersonChanges> {
  const { rows } = await pool.query<Row>({ name: 'person-changes', text: CHANGES, values: [position] });
  const [first] = rows as [Row];
  const ids = rows.filter((row): row is Row & ChangedId => row.projectId !== null);
  const gone = new Set(rows.flatMap((row) => row.gone ?? []));
  return { position: first.position, ids: first.areFew ? ids : null, gone };
}
