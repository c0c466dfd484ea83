import type DataLoader from 'dataloader';
import type { Pool } from 'pg';
import { DAY_MS } from '../../../kernel/values/durations.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';

/** The hours in which something was first and last served, within the retained hours. */
export interface ServedSpan {
  readonly outcome: string;
  readonly first: Date;
  readonly last: Date;
}

const LAST = Symbol('last use of flags and items');
const SPANS = Symbol('served spans of flags and items');

/** Stands for when counting of decisions began. */
const SINCE = '';
/** Hours are kept for longer than anything has to be unchanged to be stale. */
const KEPT_MS = 35 * DAY_MS;
/** Maximum rows deleted per statement, to keep transactions short. */
const SLICE = 20_000;

/** Loads when each flag or item of an operation was last served; null for never. */
export function lastUseLoader(operation: OperationContext): DataLoader<string, Date | null> {
  return loader(operation, LAST, async (ids: readonly string[]) => {
    const rows = await operation.current.em.execute<{ id: string; at: number }[]>(
      `select object_id as id, ${milliseconds('last_at')} as at from decision_use where object_id = any(array[?])`,
      [[...ids]],
    );
    const found = new Map(rows.map(({ id, at }) => [id, new Date(at)]));
    return ids.map((id) => found.get(id) ?? null);
  });
}

export async function countedSince(operation: OperationContext): Promise<Date> {
  return (await lastUseLoader(operation).load(SINCE)) ?? new Date(0);
}

export function servedSpansLoader(operation: OperationContext): DataLoader<string, ServedSpan[]> {
  return loader(operation, SPANS, async (ids: readonly string[]) => {
    const rows = await operation.current.em.execute<{ id: string; outcome: string; first: number; last: number }[]>(
      `select object_id as id, outcome, ${milliseconds('min(hour)')} as first,
              ${milliseconds('max(hour)')} as last from decision_usage
        where object_id = any(array[?]) group by object_id, outcome`,
      [[...ids]],
    );
    const found = Map.groupBy(rows, ({ id }) => id);
    const spanOf = ({ outcome, first, last }: (typeof rows)[number]): ServedSpan => ({
      outcome,
      first: new Date(first),
      last: new Date(last),
    });
    return ids.map((id) => (found.get(id) ?? []).map(spanOf));
  });
}

/** SQL for an instant as Unix milliseconds: statements without entities return instants as the database's own text. */
const milliseconds = (sql: string): string => `(extract(epoch from ${sql}) * 1000)::float8`;

export async function forgetDecisionUsage(pool: Pick<Pool, 'query'>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  for (let deleted = SLICE; deleted === SLICE; ) {
    const { rowCount } = await pool.query(
      'delete from decision_usage where ctid = any(array(select ctid from decision_usage where hour < $1 limit $2))',
      [before, SLICE],
    );
    deleted = rowCount ?? 0;
  }
}
