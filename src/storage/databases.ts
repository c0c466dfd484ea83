import { Client } from 'pg';

/** The same server's URL for another database. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(name)}`;
  return other.href;
}

/** Creates a database on the server of `url`. */
export async function createDatabase(url: string, name: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl(url, 'postgres') });
  await client.connect();
  try {
    await client.query(`create database ${quoted(name)}`);
  } finally {
    await client.end();
  }
}

/** A table's name with its schema, for use in a statement. */
export const qualified = (schema: string, name: string): string => `${quoted(schema)}.${quoted(name)}`;

/** A name for use in a statement, whatever it contains. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
