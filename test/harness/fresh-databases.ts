import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { databaseUrl, quoted } from '../../src/storage/databases.js';

/**
 * One connection per process to each server. It is kept because each new one must map PostgreSQL's shared memory page
 * by page, which takes longer than copying a database. It does not keep the process alive.
 */
const administrators = new Map<string, pg.Pool>();

/** Runs work on the server at this URL, outside the databases that it creates and drops. */
export async function administer<T>(serverUrl: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const connectionString = databaseUrl(serverUrl, 'postgres');
  let pool = administrators.get(connectionString);
  if (!pool) {
    pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
    // A server that stops takes the connection with it; the next use opens a new one.
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

/** Creates an empty database on the server at the given URL and returns its own URL. */
export async function createEmptyDatabase(serverUrl: string, name = freshName()): Promise<string> {
  await administer(serverUrl, (client) => client.query(`create database ${quoted(name)}`));
  return databaseUrl(serverUrl, name);
}

/** Drops a database and its connections; a missing database is not an error. */
export async function dropDatabase(url: string): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  await administer(url, (client) => client.query(`drop database if exists ${quoted(name)} with (force)`));
}
