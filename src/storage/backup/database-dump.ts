import { join } from 'node:path';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { hasTable, qualified, quoted } from '../databases.js';
import type { BackedUpPartition, BackedUpSequence, BackedUpTable, DatabaseSnapshot } from './backup-manifest.js';
import { onConnection } from './database-connection.js';
import { writeHashed } from './hashed-files.js';
import { namedObjects } from './named-objects.js';
import type { Progress } from './progress.js';
import { packRows } from './table-packings.js';

/** From the job queue, only waiting jobs and their schedules; statistics are not kept. */
const JOB_QUEUE_TABLES = ['queue', 'schedule', 'subscription', 'job', 'job_dependency'];

/** Rows of a partition being detached no longer belong to its table. */
const TABLES_QUERY = `
  select n.nspname as schema, c.relname as name,
         array(select a.attname::text from pg_attribute a
                where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                order by a.attnum) as columns,
         obj_description(c.oid, 'pg_class') as comment
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and c.relpersistence = 'p'
     and (not c.relispartition or exists (select from pg_inherits i where i.inhrelid = c.oid and i.inhdetachpending))
     and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
     and c.relname <> 'schema_migration' and (n.nspname <> 'pgboss' or c.relname = any($1))
   order by 1, 2`;

const PARTITIONS_QUERY = `
  select n.nspname as schema, c.relname as name, pn.nspname as "parentSchema", p.relname as parent,
         pg_get_expr(c.relpartbound, c.oid) as bound, pg_get_partkeydef(c.oid) as "dividedBy"
    from pg_class root
    join pg_namespace rn on rn.oid = root.relnamespace
    cross join pg_partition_tree(root.oid) t
    join pg_class c on c.oid = t.relid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_class p on p.oid = t.parentrelid
    join pg_namespace pn on pn.oid = p.relnamespace
   where root.relkind = 'p' and not root.relispartition
     and not exists (select from pg_inherits i where i.inhrelid = c.oid and i.inhdetachpending) and rn.nspname !~ '^pg_'
     and (rn.nspname <> 'pgboss' or root.relname = any($1))
   order by t.level, 1, 2`;

const SEQUENCES_QUERY = `
  select schemaname as schema, sequencename as name
    from pg_sequences where schemaname !~ '^pg_' and schemaname <> 'pgboss' order by 1, 2`;

/**
 * Writes a snapshot of all rows of a running database to files in `folder`. Also returns the objects that these rows
 * refer to.
 */
export async function dumpDatabase(
  url: string,
  folder: string,
  progress: Progress,
): Promise<{ snapshot: DatabaseSnapshot; named: Map<string, string> }> {
  progress.begin('connecting to the database');
  return onConnection(url, 'quarterdeck backup', progress, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const migrations = await migrationsOf(client);
    if (migrations.length === 0) throw new Error('it contains no installation; set DATABASE_URL to that of the server');
    const { rows: found } = await client.query<BackedUpTable>(TABLES_QUERY, [JOB_QUEUE_TABLES]);
    const tables: BackedUpTable[] = [];
    for (const table of found) {
      progress.begin(`copying the table ${table.schema}.${table.name}, ${tables.length + 1} of ${found.length}`);
      tables.push(await dumpTable(client, table, folder, progress));
    }
    const snapshot = {
      migrations,
      jobQueue: await jobQueueVersion(client),
      tables,
      partitions: (await client.query<BackedUpPartition>(PARTITIONS_QUERY, [JOB_QUEUE_TABLES])).rows,
      sequences: await dumpSequences(client),
    };
    return { snapshot, named: await namedObjects(client, tables) };
  });
}

/** The names of the applied migrations, in order; empty for a new database. */
export async function migrationsOf(client: Client): Promise<string[]> {
  if (!(await hasTable(client, 'schema_migration'))) return [];
  const { rows } = await client.query<{ name: string }>('select name from schema_migration order by id');
  return rows.map(({ name }) => name);
}

/** The version of the job queue's tables, or null. */
export async function jobQueueVersion(client: Client): Promise<string | null> {
  if (!(await hasTable(client, 'pgboss.version'))) return null;
  const { rows } = await client.query<{ version: string }>('select version::text from pgboss.version');
  return rows[0]?.version ?? null;
}

async function dumpTable(
  client: Client,
  { schema, name, columns, comment }: BackedUpTable,
  folder: string,
  progress: Progress,
): Promise<BackedUpTable> {
  const file = join('tables', `${encodeURIComponent(schema)}.${encodeURIComponent(name)}.copy.zst`);
  const copy = copyTo(
    `copy (select ${columns.map(quoted).join(', ')} from ${qualified(schema, name)}) to stdout (format binary)`,
  );
  const { sha256 } = await writeHashed(join(folder, file), () => client.query(copy), progress, packRows());
  // The rows end before PostgreSQL reports their number, which it has done once it answers the next statement.
  await client.query('select');
  return { schema, name, columns, comment, rows: copy.rowCount, file, sha256 };
}

async function dumpSequences(client: Client): Promise<BackedUpSequence[]> {
  const { rows: found } = await client.query<{ schema: string; name: string }>(SEQUENCES_QUERY);
  const sequences: BackedUpSequence[] = [];
  for (const { schema, name } of found) {
    const { rows } = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${qualified(schema, name)}`,
    );
    const [row] = rows;
    if (row) sequences.push({ schema, name, value: row.value, isCalled: row.called });
  }
  return sequences;
}
