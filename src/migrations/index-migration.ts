import { Migration } from '@mikro-orm/migrations';
import { type MigrationClass, together } from './lock-timeout.js';

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

function addIndex(migration: Migration, name: string, place: string, kind = 'index'): void {
  // An invalid index from an earlier attempt is recreated.
  migration.addSql(`drop index concurrently if exists ${name}`);
  migration.addSql(`create ${kind} concurrently ${name} on ${place}`);
}

/** Such an index cannot be built concurrently itself, but those of its partitions can. They are named alike. */
async function addPartitionedIndex(migration: Migration, index: string, place: string): Promise<void> {
  const table = place.slice(0, place.indexOf(' '));
  migration.addSql(together(`create index if not exists ${index} on only ${place}`));
  for (const partition of await partitionsWithout(migration, table, index)) {
    const name = index.replace(table, partition);
    addIndex(migration, name, place.replace(table, partition));
    migration.addSql(together(`alter index ${index} attach partition ${name}`));
  }
}

/** Indexes as `table (columns)` by name. */
type Indexes = Readonly<Record<string, string>>;

/**
 * A migration that builds indexes concurrently, and then drops the ones they replace, while others write to the tables.
 * The name of an index of a partitioned table begins with the table's.
 */
export function indexMigration({
  before = [],
  indexes = {},
  unique = {},
  partitioned = {},
  dropped = [],
}: {
  before?: readonly string[];
  indexes?: Indexes;
  unique?: Indexes;
  partitioned?: Indexes;
  dropped?: readonly string[];
}): MigrationClass {
  return class extends Migration {
    override isTransactional(): boolean {
      return false;
    }

    override async up(): Promise<void> {
      for (const statement of before) this.addSql(statement);
      for (const [name, place] of Object.entries(indexes)) addIndex(this, name, place);
      for (const [name, place] of Object.entries(unique)) addIndex(this, name, place, 'unique index');
      for (const [name, place] of Object.entries(partitioned)) await addPartitionedIndex(this, name, place);
      for (const name of dropped) this.addSql(`drop index concurrently if exists ${name}`);
    }
  };
}
