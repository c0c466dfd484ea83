import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Statement } from '../support/statements.js';
import type { TestApp } from '../support/test-app.js';

/** For each column in which copies of a row differ, SQL that computes its value from the number `n`. */
type Copied = Record<string, string>;

/**
 * By table, the columns in which copies of a row differ. They share all other columns, so that one owner has all of
 * them.
 */
const COPIED: Readonly<Record<string, Copied>> = {
  flag: {
    id: 'uuidv7()',
    key: `t.key || n`,
    // Each requires the one before it.
    prerequisites: `jsonb_build_array(jsonb_build_object('key', t.key || (n - 1), 'variants', jsonb_build_array('on')))`,
  },
  flag_version: { id: 'uuidv7()', version_number: '1000 + n' },
  config_item: { id: 'uuidv7()', key: `t.key || n` },
  config_version: { id: 'uuidv7()', version_number: '1000 + n' },
  survey_version: { version: '1000 + n' },
  survey: { id: `t.id || n`, slug: 't.slug || n' },
  survey_response: { id: 't.id || n' },
  survey_answer: { response_id: 't.response_id || n' },
  deploy_release: { id: 'uuidv7()', version: 't.version || n', is_current: 'false' },
  changelog_entry: { id: 'uuidv7()' },
  ticket: { id: 't.id || n' },
  person: { id: 't.id || n' },
  person_id: { distinct_id: 't.distinct_id || n', person_id: 't.person_id || n' },
  event: { id: 'uuidv7()' },
  crash_issue: { id: 't.id || n', fingerprint: 't.fingerprint || n' },
  crash_event: { event_id: 'uuidv7()' },
  symbol_artifact: { id: 't.id || n', place: 't.place || n' },
  webhook_dead_letter: { id: 'uuidv7()' },
  webhook_attempt: { delivery_id: 'uuidv7()' },
  event_log: { id: 't.id || n', sequence: `nextval(pg_get_serial_sequence('event_log', 'sequence'))` },
};

/**
 * Copies one row of each table in a project until there are this many, and leaves the tables vacuumed and analyzed.
 * More copies can start at another `first`.
 */
export async function copyRows(
  pool: Pool,
  projectId: string,
  count: number,
  tables: readonly string[] = Object.keys(COPIED),
  first = 1,
): Promise<void> {
  for (const table of tables) {
    const changes = COPIED[table] ?? {};
    const columns = await columnsOf(pool, table);
    const own = columns.includes('project_id') ? `where project_id = '${projectId}'` : '';
    // Expressions that do not depend on `n` would be evaluated once for all rows.
    const made = [`'', n`, ...Object.entries(changes).map(([column, sql]) => `'${column}', ${sql}`)];
    const { rowCount } = await pool.query(
      `insert into ${table} (${columns.join(', ')}) overriding system value
       select ${columns.map((column) => `r.${column}`).join(', ')}
         from (select * from ${table} ${own} order by 1 limit 1) t cross join generate_series(${first}, ${first + count - 1}) n
         cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${made.join(', ')})) r`,
    );
    if (rowCount !== count) throw new Error(`${table} has no row to copy`);
  }
  await pool.query('vacuum analyze');
}

/** Lets an hour pass for all events, and counts and indexes them as the worker would over time. */
export async function settleEvents({ pool, services }: TestApp['app']): Promise<void> {
  await pool.query(`update event set id = uuidv7(interval '-1 hour')`);
  await pool.query('vacuum analyze event');
  await services.eventHours.count();
  await services.eventUpkeep.forget(new Date());
}

async function columnsOf(pool: Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows.map(({ name }) => name);
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** Lists whose rows are collected before they are sorted: from several tables, or from all ids of a person. */
export const BROUGHT_TOGETHER: ReadonlySet<string> = new Set([
  'webhookDeliveries',
  'webhookSubscription deliveries',
  'personById crashEvents',
  'personById responses',
]);

/** Whether a statement reads a list page. */
export const readsPage = ({ text }: { text: string }): boolean =>
  /"listRow"|\bwebhook_attempt\b|\bevent e\b/.test(text);

/** Whether a statement has to sort its rows because no index provides the order. */
export async function sortsRows(pool: Pool, statement: Statement): Promise<boolean> {
  const plan = await planOf(pool, 'explain (format json)', statement, WITHOUT_SORTING);
  return nodesOf(plan).some((node) => node['Node Type'] === 'Sort');
}

/** How many rows a statement reads only to discard them. */
export async function rowsReadInVain(pool: Pool, statement: Statement): Promise<number> {
  const plan = await planOf(pool, 'explain (analyze, format json)', statement, []);
  return nodesOf(plan).reduce((sum, node) => {
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    return sum + removed * (node['Actual Loops'] ?? 1);
  }, 0);
}

/** How many rows a statement reads from tables, including those it discards. */
export async function rowsRead(pool: Pool, statement: Statement): Promise<number> {
  const plan = await planOf(pool, 'explain (analyze, format json)', statement, []);
  const kept = nodesOf(plan)
    .filter((node) => node['Relation Name'] !== undefined)
    .reduce((sum, node) => sum + (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1), 0);
  return kept + (await rowsReadInVain(pool, statement));
}

/**
 * Sorting a few rows is cheaper than walking an index unless these are disabled. Rows that are equal in the index order
 * may still be sorted.
 */
const WITHOUT_SORTING = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'];

async function planOf(
  pool: Pool,
  explain: string,
  statement: Statement,
  without: readonly string[],
): Promise<PlanNode> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const setting of without) await client.query(`set local ${setting} = off`);
    const rows = await (statement.name === undefined
      ? client.query<Explained>(`${explain} ${statement.text}`, statement.values)
      : explainedForAllValues(client, explain, statement));
    const [plan] = rows.rows.flatMap((row) => row['QUERY PLAN']);
    if (!plan) throw new Error(`no plan of ${statement.text}`);
    return plan.Plan;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

interface Explained {
  'QUERY PLAN': { Plan: PlanNode }[];
}

/**
 * The generic plan that PostgreSQL ends up keeping for a prepared statement: it is made without the values and has to
 * be good for all of them.
 */
async function explainedForAllValues(
  client: PoolClient,
  explain: string,
  { text, values }: Statement,
): Promise<QueryResult<Explained>> {
  await client.query('set local plan_cache_mode = force_generic_plan');
  await client.query(`prepare explained as ${text}`);
  const literals = values.map((_, index) => `quote_nullable($${index + 1}::text)`).join(', ');
  const { rows } = await client.query<string[]>({ text: `select ${literals}`, values, rowMode: 'array' });
  try {
    return await client.query(`${explain} execute explained(${rows.flat().join(', ')})`);
  } finally {
    await client.query('deallocate explained');
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The large tables that PostgreSQL would scan completely for a statement. */
export async function tablesScanned(pool: Pool, text: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values]);
  return rows
    .map((row) => /Seq Scan on (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? '')
    .filter((table) => Object.keys(COPIED).some((name) => table === name || table.startsWith(`${name}_2`)));
}
