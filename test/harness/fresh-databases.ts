import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { databaseUrl, quoted } from '../../src/storage/databases.js';

/**
 * One connection a process to each server, kept because a new one maps what PostgreSQL's processes share page by page, which takes longer
 * than copying a database does. It holds no process open.
 */
const administrators = new Map<string, pg.Pool>();

/** Does something on the server of this URL outside of the databases that it makes and drops. */
export async function administer<T>(serverUrl: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const connectionString = databaseUrl(serverUrl, 'postgres');
  let pool = administrators.get(connectionString);
  if (!pool) {
    pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
    // A server that ends takes the connection with it; the next piece of work gets a new one.
    pool.on('error', () => {});
    administrators.set(connectionString, pool);
  }
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

/** A name that no other database has. */
export const freshName = (): string => `qd_test_${randomUUID().replaceAll('-', '')}`;

/** Makes an empty database on the server of the given URL and returns its own URL. */
export async function createEmptyDatabase(serverUrl: string, name = freshName()): Promise<string> {
  await administer(serverUrl, (client) => client.query(`create database ${quoted(name)}`));
  return databaseUrl(serverUrl, name);
}

/** Drops a database and its connections; a missing database is not an error. */
export async function dropDatabase(url: string): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  await administer(url, (client) => client.query(`drop database if exists ${quoted(name)} with (force)`));
}
