import { Client, type ClientConfig } from 'pg';

/** The same server's URL for another database. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(name)}`;
  return other.href;
}

export async function createDatabase(url: string, name: string): Promise<void> {
  const config = { connectionString: databaseUrl(url, 'postgres') };
  await withClient(config, (client) => client.query(`create database ${quoted(name)}`));
}

/** Runs work on a connection of its own. */
export async function withClient<T>(config: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether there is a table with this name, written as in a statement. */
export async function hasTable(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>('select to_regclass($1) is not null as yes', [name]);
  return rows[0]?.yes ?? false;
}

/** A table's name with its schema, for use in a statement. */
export const qualified = (schema: string, name: string): string => `${quoted(schema)}.${quoted(name)}`;

/** A name for use in a statement, whatever it contains. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
