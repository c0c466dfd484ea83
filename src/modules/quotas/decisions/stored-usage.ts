import type DataLoader from 'dataloader';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import type { Outcome } from './decision-counts.js';
import type { UsageTime } from './usage-time.js';

/** How often an outcome was served in each interval. */
export interface OutcomeCounts extends Outcome {
  readonly counts: readonly number[];
}

interface Asked {
  readonly objectId: string;
  readonly time: UsageTime;
}

const USAGE = Symbol('usage of flags and items');

const timeText = ({ from, to, interval }: UsageTime): string => `${from.getTime()} ${to.getTime()} ${interval}`;

/** Loads how often the outcomes of all flags and items of an operation were served, with one statement for each requested time. */
export function usageLoader(operation: OperationContext): DataLoader<Asked, OutcomeCounts[], string> {
  return loader(
    operation,
    USAGE,
    async (all: readonly Asked[]) => {
      const found = new Map<string, OutcomeCounts[]>();
      for (const [text, group] of Map.groupBy(all, ({ time }) => timeText(time))) {
        const { time } = group[0] as Asked;
        const ids = group.map(({ objectId }) => objectId);
        for (const counts of await readUsage(operation, ids, time)) {
          const key = `${counts.objectId} ${text}`;
          found.set(key, [...(found.get(key) ?? []), counts]);
        }
      }
      return all.map(({ objectId, time }) => found.get(`${objectId} ${timeText(time)}`) ?? []);
    },
    ({ objectId, time }) => `${objectId} ${timeText(time)}`,
  );
}

interface Row extends Outcome {
  place: number;
  count: number;
}

async function readUsage({ current }: OperationContext, ids: string[], time: UsageTime): Promise<OutcomeCounts[]> {
  const { from, to, milliseconds, intervals } = time;
  const rows = await current.em.execute<Row[]>(
    `select object_id as "objectId", version, outcome, sum(count)::float8 as count,
            floor(extract(epoch from hour - ?::timestamptz) * 1000 / ?)::int as place
       from decision_usage where object_id = any(array[?]) and hour >= ?::timestamptz and hour < ?::timestamptz
      group by 1, 2, 3, 5 order by 1, 2, 3`,
    [from, milliseconds, ids, from, to],
  );
  const byOutcome = Map.groupBy(rows, ({ objectId, version, outcome }) => `${objectId} ${version} ${outcome}`);
  return [...byOutcome.values()].map((group) => {
    const { objectId, version, outcome } = group[0] as Row;
    const counts = new Array<number>(intervals).fill(0);
    for (const { place, count } of group) counts[place] = count;
    return { objectId, version, outcome, counts };
  });
}

export function addCounts(all: readonly OutcomeCounts[]): number[] {
  const [first, ...others] = all;
  return (first?.counts ?? []).map((count, at) => others.reduce((sum, { counts }) => sum + (counts[at] ?? 0), count));
}

export const totalOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
