import { Client } from 'pg';

/** The same server's URL for another database. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(name)}`;
  return other.href;
}

/** Creates a database on the server of `url`, as a copy of `template` when given, and returns its URL. */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  const source = template ? ` template ${quoted(template)}` : '';
  await administer(url, `create database ${quoted(name)}${source}`);
  return databaseUrl(url, name);
}

/** Drops a database with the connections to it; it is no error when there is none of that name. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await administer(url, `drop database if exists ${quoted(name)} with (force)`);
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl(url, 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A table's name with its schema, for use in a statement. */
export function qualified(schema: string, name: string): string {
  return `${quoted(schema)}.${quoted(name)}`;
}

/** A name for use in a statement, whatever it contains. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
