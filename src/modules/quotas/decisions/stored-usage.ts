import type { Context } from '../../../kernel/context.js';
import { loadAlike } from '../../../kernel/lists/grouped-reads.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import type { Outcome } from './decision-counts.js';
import type { UsageTime } from './usage-time.js';

export interface OutcomeCounts extends Outcome {
  readonly counts: readonly number[];
}

const USAGE = Symbol('usage of flags and items');

/** How often the outcomes of a flag or item were served; those of a level are read in one statement for each requested time. */
export const usageOf = (operation: OperationContext, objectId: string, time: UsageTime): Promise<OutcomeCounts[]> =>
  loadAlike(operation, USAGE, objectId, time, async (ids) => {
    const byObject = Map.groupBy(await readUsage(operation, ids, time), (counts) => counts.objectId);
    return ids.map((id) => byObject.get(id) ?? []);
  });

interface Row extends Outcome {
  place: number;
  count: number;
}

async function readUsage(
  { current }: OperationContext,
  ids: readonly string[],
  time: UsageTime,
): Promise<OutcomeCounts[]> {
  const { from, to, milliseconds, intervals } = time;
  const rows = await current.em.execute<Row[]>(
    `select object_id as "objectId", version, outcome, sum(count)::float8 as count,
            floor(extract(epoch from hour - ?::timestamptz) * 1000 / ?)::int as place
       from decision_usage where object_id = any(array[?]) and hour >= ?::timestamptz and hour < ?::timestamptz
      group by 1, 2, 3, 5 order by 1, 2, 3`,
    [from, milliseconds, [...ids], from, to],
  );
  const byOutcome = Map.groupBy(rows, ({ objectId, version, outcome }) => `${objectId} ${version} ${outcome}`);
  return [...byOutcome.values()].map((group) => {
    const { objectId, version, outcome } = group[0] as Row;
    const counts = new Array<number>(intervals).fill(0);
    for (const { place, count } of group) counts[place] = count;
    return { objectId, version, outcome, counts };
  });
}

/**
 * How often all objects with these ids were served, by interval.
 *
 * @param ids a statement that selects them as text
 */
export async function servedByInterval(
  { em }: Pick<Context, 'em'>,
  ids: { readonly sql: string; readonly params: readonly unknown[] },
  { from, to, milliseconds, intervals }: UsageTime,
): Promise<number[]> {
  const rows = await em.execute<Pick<Row, 'place' | 'count'>[]>(
    `select floor(extract(epoch from hour - ?::timestamptz) * 1000 / ?)::int as place, sum(count)::float8 as count
       from decision_usage where object_id in (${ids.sql}) and hour >= ?::timestamptz and hour < ?::timestamptz
      group by 1`,
    [from, milliseconds, ...ids.params, from, to],
  );
  const counts = new Array<number>(intervals).fill(0);
  for (const { place, count } of rows) counts[place] = count;
  return counts;
}

export function addCounts(all: readonly OutcomeCounts[]): number[] {
  const [first, ...others] = all;
  return (first?.counts ?? []).map((count, at) => others.reduce((sum, { counts }) => sum + (counts[at] ?? 0), count));
}

export const totalOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
