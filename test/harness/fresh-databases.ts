import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Makes an empty database on the server of the given URL and returns its own URL. */
export async function createEmptyDatabase(serverUrl: string): Promise<string> {
  const name = `run_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database made by {@link createEmptyDatabase}, with whoever is connected to it. */
export async function dropDatabase(serverUrl: string, databaseUrl: string): Promise<void> {
  await onServer(serverUrl, `drop database if exists ${new URL(databaseUrl).pathname.slice(1)} with (force)`);
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
