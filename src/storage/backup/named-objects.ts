import type { Client } from 'pg';
import { qualified } from '../databases.js';
import type { BackedUpTable, LostObject } from './backup-manifest.js';
import { onConnection } from './database-connection.js';
import type { Progress } from './progress.js';

/** The column that holds the key of an object, in every table that has one. */
const KEY_COLUMN = 'storage_path';

type Table = Pick<BackedUpTable, 'schema' | 'name' | 'columns'>;

/** The keys of the objects that rows name, or of those among `keys`, each with a table that has it. */
export async function namedObjects(
  client: Client,
  tables: readonly Table[],
  keys?: readonly string[],
): Promise<Map<string, string>> {
  const named = new Map<string, string>();
  for (const { schema, name } of tables.filter(({ columns }) => columns.includes(KEY_COLUMN))) {
    const { rows } = await client.query<[string]>({
      text: `select ${KEY_COLUMN} from ${qualified(schema, name)} where $1::text[] is null or ${KEY_COLUMN} = any($1)`,
      values: [keys ?? null],
      rowMode: 'array',
    });
    for (const [key] of rows) named.set(key, name);
  }
  return named;
}

/**
 * The objects that the rows of a snapshot name and that were not copied, though rows still name them: an object goes after its row, so one
 * whose row has gone since was deleted meanwhile.
 */
export async function lostObjects(
  url: string,
  { named, tables }: { named: ReadonlyMap<string, string>; tables: readonly Table[] },
  copied: ReadonlyMap<string, unknown>,
  progress: Progress,
): Promise<LostObject[]> {
  const absent = [...named.keys()].filter((key) => !copied.has(key));
  if (absent.length === 0) return [];
  progress.begin('comparing the objects with the rows');
  const lost = await onConnection(url, 'quarterdeck backup', progress, (client) =>
    namedObjects(client, tables, absent),
  );
  return [...lost].map(([key, table]) => ({ key, table }));
}
