import type { Client } from 'pg';
import { qualified } from '../databases.js';
import type { BackedUpTable, LostObject } from './backup-manifest.js';
import { onConnection } from './database-connection.js';
import type { Progress } from './progress.js';

/** The object key column of every table that has one. */
const KEY_COLUMN = 'storage_path';

type Table = Pick<BackedUpTable, 'schema' | 'name' | 'columns'>;

/** The object keys that rows refer to, optionally limited to `keys`, each with a table that has it. */
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
 * Objects that a snapshot's rows refer to and that were not copied although rows still refer to them. Objects are
 * removed after their rows, so one whose row is gone was simply deleted in the meantime.
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
