import type { AnalyticsDataset } from './analytics-dataset.js';
import type { Erasure } from './analytics-outbox.js';
import type { ClickHouse, ClickHouseParameters } from './clickhouse.js';

/** Maximum values per statement. */
const VALUES = 100;

/** Deletes rows from the copy, including its disk, and resolves when they are gone. Missing rows cost nothing. */
export async function eraseRows(store: ClickHouse, dataset: AnalyticsDataset, erasure: Erasure): Promise<void> {
  for (const { condition, parameters } of conditionsOf(dataset, erasure)) {
    const [found] = await store.rows(`SELECT 1 AS found FROM ${dataset.table} WHERE ${condition} LIMIT 1`, parameters);
    if (found) await store.command(`ALTER TABLE ${dataset.table} DELETE WHERE ${condition}`, parameters);
  }
}

interface Condition {
  condition: string;
  parameters: ClickHouseParameters;
}

function conditionsOf({ idType }: AnalyticsDataset, erasure: Erasure): Condition[] {
  const { project_id, environment, distinct_ids, ids, before } = erasure;
  const terms: string[] = [];
  const parameters: Record<string, unknown> = {};
  const term = (sql: string, name: string, value: unknown) => {
    if (value === null) return;
    terms.push(sql);
    parameters[name] = value;
  };
  term('project_id = {project:UUID}', 'project', project_id);
  term('environment = {environment:String}', 'environment', environment);
  term(`received_at < fromUnixTimestamp64Milli({before:Int64}, 'UTC')`, 'before', before?.getTime() ?? null);
  const listed: [string, string[] | null][] = [
    ['distinct_id IN {listed:Array(String)}', distinct_ids],
    [`id IN {listed:Array(${idType})}`, ids],
  ];
  const lists = listed.filter((list): list is [string, string[]] => list[1] !== null);
  if (lists.length === 0) return terms.length > 0 ? [{ condition: terms.join(' AND '), parameters }] : [];
  return lists.flatMap(([sql, values]) =>
    slices(values).map((slice) => ({
      condition: [...terms, sql].join(' AND '),
      parameters: { ...parameters, listed: slice },
    })),
  );
}

const slices = (values: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(values.length / VALUES) }, (_, i) => values.slice(i * VALUES, (i + 1) * VALUES));
