import pg from 'pg';
import { SingleTimer } from '../turns/single-timer.js';

/** A connection that has been in use for this long is checked, and again after the same time. */
const HELD_MS = 10_000;
const PROBE_MS = 5_000;
/** After this many checks in a row without any answer, half a minute to a minute, the database counts as gone. */
const SILENT_CHECKS = 3;

/** The number of its backend, which the driver's types lack. */
const backendOf = (client: pg.Client): number => (client as unknown as { processID: number }).processID;

/**
 * Cuts connections in use that the database no longer knows, and all that have been in use for long when it has stopped
 * answering. When a database moves to another machine or freezes, or a network drops packets without a word, the system
 * would let statements wait for a quarter of an hour or for ever.
 */
export function dropForgottenConnections(pool: pg.Pool, databaseUrl: string, heldMs = HELD_MS): void {
  const held = new Map<pg.Client, number>();
  let silentChecks = 0;
  const check = async (): Promise<void> => {
    const before = performance.now() - heldMs;
    const suspects = [...held].flatMap(([client, since]) => (since <= before ? [client] : []));
    const forgotten = suspects.length > 0 ? await forgottenOf(suspects, databaseUrl) : [];
    silentChecks = forgotten === null ? silentChecks + 1 : 0;
    if (silentChecks >= SILENT_CHECKS) cut(suspects, 'the database does not answer');
    else if (forgotten) cut(forgotten, 'the database no longer knows this connection');
  };
  /** Like the reset that the network owes us. */
  const cut = (clients: readonly pg.Client[], reason: string): void => {
    for (const client of clients) {
      if (!held.has(client)) continue;
      client.connection.stream.destroy(Object.assign(new Error(reason), { code: 'ECONNRESET' }));
    }
  };
  const timer = new SingleTimer(() => {
    void check().finally(() => held.size > 0 && timer.in(heldMs));
  });
  pool.on('acquire', (client) => {
    held.set(client, performance.now());
    timer.in(heldMs);
  });
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('remove', (client) => held.delete(client));
}

/**
 * Those whose backend does not exist; null if the database does not answer. What it refuses to answer says nothing about
 * them, nor does a pooler with its own numbers.
 */
async function forgottenOf(suspects: readonly pg.Client[], connectionString: string): Promise<pg.Client[] | null> {
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
  } catch (error) {
    if (error instanceof pg.DatabaseError) return [];
    // It would not answer a farewell either.
    probe.connection.stream.destroy();
    return null;
  } finally {
    void probe.end().catch(() => undefined);
  }
}
