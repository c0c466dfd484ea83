import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Client, DatabaseError, escapeLiteral } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { hasTable, qualified, quoted } from '../databases.js';
import type { BackedUpPartition, BackedUpTable, BackupManifest, DatabaseSnapshot } from './backup-manifest.js';
import { onConnection } from './database-connection.js';
import { jobQueueVersion, migrationsOf } from './database-dump.js';
import { readHashed } from './hashed-files.js';
import type { Progress } from './progress.js';
import { TABLE_PACKINGS, type TablePacking } from './table-packings.js';

/** How PostgreSQL describes partitions, without functions: these become part of a statement. */
const BOUND = /^(?:default|for values (?:from|in|with) \([^();]*\)(?: to \([^();]*\))?)$/i;
const DIVISION = /^(?:range|list|hash) \([^();]*\)$/i;

export interface RestoredRows {
  rows: number;
  leftOut: string[];
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

interface Index {
  name: string;
  definition: string;
}

/** From this many rows on, rebuilding an index is faster than updating it per row. */
const LARGE = 10_000;

/**
 * Throws a readable error when `url` is in use or contains more than a failed restore of this snapshot leaves behind:
 * tables without an organization.
 */
export async function requireEmptyDatabase(
  url: string,
  { migrations }: DatabaseSnapshot,
  progress: Progress,
): Promise<void> {
  progress.begin('looking at the database');
  await onConnection(url, 'quarterdeck restore', progress, async (client) => {
    const { rows: users } = await client.query(
      `select 1 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
          and application_name not in ('quarterdeck keeper', 'quarterdeck restore')`,
    );
    if (users.length > 0) throw new Error('The database is in use; stop the server before restoring');
    const here = await migrationsOf(client);
    if (here.some((name, at) => name !== migrations[at]) || (await hasOrganization(client)))
      throw new Error(
        'The database is not empty. Restore into a new DATA_DIR, or into a new database named by DATABASE_URL',
      );
  });
}

async function hasOrganization(client: Client): Promise<boolean> {
  return (
    (await hasTable(client, 'organization')) && (await client.query('select from organization limit 1')).rowCount === 1
  );
}

/**
 * Fills a database, whose schema must match the snapshot's migrations, with the snapshot's rows in one transaction: all
 * of them with the recorded counts and hashes, or nothing. The role must own the tables. Tables outside this schema are
 * left out, except detached partitions.
 */
export async function restoreDatabase(
  url: string,
  manifest: BackupManifest,
  folder: string,
  progress: Progress,
): Promise<RestoredRows> {
  try {
    return await onConnection(url, 'quarterdeck restore', progress, (client) =>
      restoreAtOnce(client, manifest, folder, progress),
    );
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new Error(`The restore failed while ${progress}: ${error.message}. No row was kept`, {
      cause: error,
    });
  }
}

async function restoreAtOnce(
  client: Client,
  { format, database: snapshot }: BackupManifest,
  folder: string,
  progress: Progress,
): Promise<RestoredRows> {
  progress.begin('preparing the tables');
  await client.query('begin');
  await requireSameSchema(client, snapshot);
  for (const partition of snapshot.partitions) await createPartition(client, partition);
  const { tables, leftOut } = await restorable(client, snapshot);
  const names = tables.map(({ schema, name }) => qualified(schema, name));
  const keys = await foreignKeys(client);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  for (const key of keys) await client.query(`alter table ${key.table} drop constraint ${quoted(key.name)}`);
  await emptyTables(client, names);
  const large = tables.filter(({ rows }) => rows >= LARGE);
  const indexes = await indexesOf(
    client,
    large.map(({ schema, name }) => qualified(schema, name)),
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  let rows = 0;
  for (const [at, table] of tables.entries()) {
    progress.begin(`filling the table ${table.schema}.${table.name}, ${at + 1} of ${tables.length}`);
    rows += await fillTable(client, table, TABLE_PACKINGS[format], folder, progress);
  }
  for (const [at, { name, definition }] of indexes.entries()) {
    progress.begin(`building the index ${name}, ${at + 1} of ${indexes.length}`);
    await client.query(definition);
  }
  progress.begin('checking the foreign keys');
  for (const key of keys)
    await client.query(`alter table ${key.table} add constraint ${quoted(key.name)} ${key.definition}`);
  await client.query('set constraints all immediate');
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  progress.begin('setting the sequences');
  // Nothing to set for one that is missing here.
  for (const { schema, name, value, isCalled } of snapshot.sequences)
    await client.query('select setval(to_regclass($1), $2, $3)', [qualified(schema, name), value, isCalled]);
  await client.query('commit');
  return { rows, leftOut };
}

async function requireSameSchema(client: Client, snapshot: DatabaseSnapshot): Promise<void> {
  const here = await migrationsOf(client);
  if (here.join() !== snapshot.migrations.join())
    throw new Error(`The schema here (${here.at(-1)}) differs from the backup's (${snapshot.migrations.at(-1)})`);
}

/**
 * The tables to fill. The job queue's tables change with its version, so waiting jobs of another version are left out.
 * Other tables missing here may be an operator's own, or detached partitions, which are created next to their table.
 */
async function restorable(
  client: Client,
  { tables, jobQueue }: DatabaseSnapshot,
): Promise<{ tables: BackedUpTable[]; leftOut: string[] }> {
  const sameQueue = jobQueue === (await jobQueueVersion(client));
  const here: BackedUpTable[] = [];
  const leftOut: string[] = [];
  for (const table of tables.filter(({ schema }) => sameQueue || schema !== 'pgboss')) {
    const whole = wholeOf(table, tables);
    if (whole && !(await isHere(client, table))) await createDetached(client, table, whole);
    if (await isHere(client, table)) here.push(table);
    else leftOut.push(qualified(table.schema, table.name));
  }
  return { tables: here, leftOut };
}

async function createDetached(
  client: Client,
  { schema, name, comment }: BackedUpTable,
  whole: BackedUpTable,
): Promise<void> {
  const table = qualified(schema, name);
  await client.query(`create table ${table} (like ${qualified(whole.schema, whole.name)} including defaults)`);
  if (comment) await client.query(`comment on table ${table} is ${escapeLiteral(comment)}`);
}

/** The table that another was a partition of: `event` for `event_2026_02`. */
function wholeOf(
  { schema, name, columns }: BackedUpTable,
  tables: readonly BackedUpTable[],
): BackedUpTable | undefined {
  const [, whole] = /^(.+)_\d{4}_\d{2}$/.exec(name) ?? [];
  return tables.find((one) => one.schema === schema && one.name === whole && one.columns.join() === columns.join());
}

const isHere = (client: Client, { schema, name }: BackedUpTable): Promise<boolean> =>
  hasTable(client, qualified(schema, name));

async function createPartition(client: Client, partition: BackedUpPartition): Promise<void> {
  const { schema, name, parentSchema, parent, bound, dividedBy } = partition;
  const [child, whole] = [qualified(schema, name), qualified(parentSchema, parent)];
  if (!(await hasTable(client, whole))) return;
  const { rows } = await client.query(
    `select 1 from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = $1::regclass and pg_get_expr(c.relpartbound, c.oid) = $2`,
    [whole, bound],
  );
  if (rows.length > 0) return;
  if (!BOUND.test(bound) || (dividedBy && !DIVISION.test(dividedBy)))
    throw new Error(
      `manifest.json is damaged: the bounds of the partition ${child} are not what a backup writes there`,
    );
  const division = dividedBy ? ` partition by ${dividedBy}` : '';
  await client.query(`create table ${child} partition of ${whole} ${bound}${division}`);
}

async function foreignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select format('%I.%I', n.nspname, c.relname) as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and k.conparentid = 0 and n.nspname !~ '^pg_'`,
  );
  return rows;
}

/** Deletes rows inserted by migrations; truncating all tables would recreate two hundred files. */
async function emptyTables(client: Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select t.name from unnest($1::text[]) t(name)
      where pg_relation_size(t.name) > 0
         or exists (select from pg_partition_tree(t.name) p where pg_relation_size(p.relid) > 0)`,
    [tables],
  );
  if (rows.length > 0) await client.query(`truncate ${rows.map(({ name }) => name).join(', ')}`);
}

/** The tables' indexes without key indexes. A partitioned table's index includes those of its partitions. */
async function indexesOf(client: Client, tables: readonly string[]): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `with restored as (
       select t.oid::oid from unnest($1::regclass[]) t(oid)
       union select p.relid from unnest($1::regclass[]) t(oid) cross join pg_partition_tree(t.oid) p
     )
     select format('%I.%I', n.nspname, c.relname) as name,
            replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') as definition
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
      where i.indrelid in (select oid from restored)
        and not exists (select 1 from pg_constraint k where k.conindid = c.oid)
        and not exists (select 1 from pg_inherits h where h.inhrelid = c.oid)
      order by 1`,
    [tables],
  );
  return rows;
}

async function fillTable(
  client: Client,
  table: BackedUpTable,
  packing: TablePacking,
  folder: string,
  progress: Progress,
): Promise<number> {
  const name = qualified(table.schema, table.name);
  const columns = table.columns.map(quoted).join(', ');
  const copy = copyFrom(`copy ${name} (${columns}) from stdin (format ${packing.copyFormat})`);
  const content = readHashed(join(folder, table.file), table.sha256, progress, packing);
  await progress.within(pipeline(content, client.query(copy), { signal: progress.signal }));
  if (copy.rowCount !== table.rows)
    throw new Error(`${name} has ${copy.rowCount} rows after restoring, but the backup recorded ${table.rows}`);
  return table.rows;
}
