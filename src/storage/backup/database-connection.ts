import { Client } from 'pg';
import type { Progress } from './progress.js';

const CONNECT_MS = 10_000;

/** Runs work on a connection with server-independent COPY formats, and always closes it. */
export async function onConnection<T>(
  url: string,
  name: string,
  progress: Progress,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  // A lost connection fails the pending statement; without one there is nothing to report to.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`set timezone to 'UTC'; set datestyle to 'ISO'; set statement_timeout to 0`);
    return await work(client);
  } finally {
    await progress.within(client.end());
  }
}
