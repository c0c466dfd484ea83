import type { Migration } from '@mikro-orm/migrations';
import { together } from './lock-timeout.js';

/** Partitions whose part of an index has not been attached by an earlier, failed attempt. */
async function partitionsWithout(migration: Migration, table: string, index: string): Promise<string[]> {
  const rows = await migration.execute(
    `select p.inhrelid::regclass::text as name from pg_inherits p
      where p.inhparent = '${table}'::regclass and not exists (
        select from pg_index i join pg_inherits a on a.inhrelid = i.indexrelid
         where i.indrelid = p.inhrelid and a.inhparent = to_regclass('${index}'))`,
  );
  return rows.map((row) => String((row as { name: string }).name));
}

/**
 * Creates indexes, given as `table (columns)` by name, concurrently, in a migration without a transaction. An invalid
 * index from an earlier attempt is recreated.
 */
export function addIndexes(migration: Migration, indexes: Readonly<Record<string, string>>): void {
  for (const [name, place] of Object.entries(indexes)) {
    migration.addSql(`drop index concurrently if exists ${name}`);
    migration.addSql(`create index concurrently ${name} on ${place}`);
  }
}

/**
 * Creates an index on a partitioned table in a migration without a transaction: it cannot be built concurrently itself,
 * but those of its partitions can. They are named `<partition>_<suffix>`.
 */
export async function addPartitionedIndex(
  migration: Migration,
  { table, index, suffix, columns }: { table: string; index: string; suffix: string; columns: string },
): Promise<void> {
  migration.addSql(together(`create index if not exists ${index} on only ${table} ${columns}`));
  for (const partition of await partitionsWithout(migration, table, index)) {
    const name = `${partition}_${suffix}`;
    addIndexes(migration, { [name]: `${partition} ${columns}` });
    migration.addSql(together(`alter index ${index} attach partition ${name}`));
  }
}
