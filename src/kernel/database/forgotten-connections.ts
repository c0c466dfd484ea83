import pg from 'pg';
import { SingleTimer } from '../turns/single-timer.js';

/** A connection that has been in use for this long is checked, and again after the same time. */
const HELD_MS = 10_000;
const PROBE_MS = 5_000;

/** The number of its backend, which the driver's types lack. */
const backendOf = (client: pg.Client): number => (client as unknown as { processID: number }).processID;

/**
 * Cuts connections in use that the database no longer knows. When a database moves to another machine, or a network drops
 * a connection without a word, the system would let its statement wait for a quarter of an hour.
 */
export function dropForgottenConnections(pool: pg.Pool, databaseUrl: string, heldMs = HELD_MS): void {
  const held = new Map<pg.Client, number>();
  const check = async (): Promise<void> => {
    const before = performance.now() - heldMs;
    const suspects = [...held].flatMap(([client, since]) => (since <= before ? [client] : []));
    const forgotten = suspects.length > 0 ? await forgottenOf(suspects, databaseUrl) : [];
    for (const client of forgotten) {
      // Like the reset that the network owes us.
      const reset = Object.assign(new Error('the database no longer knows this connection'), { code: 'ECONNRESET' });
      if (held.has(client)) client.connection.stream.destroy(reset);
    }
  };
  const timer = new SingleTimer(() => {
    void check()
      .catch(() => undefined)
      .finally(() => held.size > 0 && timer.in(heldMs));
  });
  pool.on('acquire', (client) => {
    held.set(client, performance.now());
    timer.in(heldMs);
  });
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('remove', (client) => held.delete(client));
}

/** Those whose backend does not exist. A database that does not answer says nothing about them, nor does a pooler with its own numbers. */
async function forgottenOf(suspects: readonly pg.Client[], connectionString: string): Promise<pg.Client[]> {
  const probe = new pg.Client({ connectionString, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  probe.on('error', () => undefined);
  try {
    await probe.connect();
    const { rows } = await probe.query<{ own: number; pids: number[] }>(
      'select pg_backend_pid() as own, array(select pid from pg_stat_activity where datname = current_database()) as pids',
    );
    const [row] = rows;
    if (row?.own !== backendOf(probe)) return [];
    const pids = new Set(row.pids);
    return suspects.filter((client) => !pids.has(backendOf(client)));
  } finally {
    void probe.end().catch(() => undefined);
  }
}
