import type { Client } from 'pg';
import { qualified } from '../databases.js';
import type { BackedUpTable } from './backup-manifest.js';
import { onConnection } from './database-connection.js';
import type { Progress } from './progress.js';

/** The column that holds the key of an object, in every table that has one. */
const KEY_COLUMN = 'storage_path';

type Table = Pick<BackedUpTable, 'schema' | 'name' | 'columns'>;

/** The keys of the objects that rows name, or of those among `keys`. */
export async function namedObjects(
  client: Client,
  tables: readonly Table[],
  keys?: readonly string[],
): Promise<Set<string>> {
  const named = new Set<string>();
  for (const { schema, name } of tables.filter(({ columns }) => columns.includes(KEY_COLUMN))) {
    const { rows } = await client.query<[string]>({
      text: `select ${KEY_COLUMN} from ${qualified(schema, name)} where $1::text[] is null or ${KEY_COLUMN} = any($1)`,
      values: [keys ?? null],
      rowMode: 'array',
    });
    for (const [key] of rows) named.add(key);
  }
  return named;
}

/**
 * Throws when objects that the rows of a snapshot name were not copied, though rows still name them: an object goes after its row, so one
 * whose row has gone since was deleted meanwhile.
 */
export async function requireNamedObjects(
  url: string,
  { named, tables }: { named: ReadonlySet<string>; tables: readonly Table[] },
  copied: ReadonlyMap<string, unknown>,
  progress: Progress,
): Promise<void> {
  const absent = [...named].filter((key) => !copied.has(key));
  if (absent.length === 0) return;
  progress.begin('comparing the objects with the rows');
  const lost = await onConnection(url, 'quarterdeck backup', progress, (client) =>
    namedObjects(client, tables, absent),
  );
  const [first] = lost;
  if (first === undefined) return;
  throw new Error(
    `the object store lacks ${lost.size} of the ${named.size} objects that rows name, the first ${first}; see that DATA_DIR or S3_ENDPOINT and S3_BUCKET are the server's`,
  );
}
