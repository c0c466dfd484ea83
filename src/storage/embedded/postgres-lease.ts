import { Client, DatabaseError } from 'pg';
import { createDatabase } from '../databases.js';
import { DATABASE_USER } from './postgres-cluster.js';

const APPLICATION_NAME = 'quarterdeck keeper';
const DATABASE_NAME = 'quarterdeck';
const INVALID_PASSWORD = '28P01';
const UNKNOWN_DATABASE = '3D000';

/** The URL of the embedded server's application database; `host` in URL form. */
export function embeddedUrl(port: number, password: string, host = '127.0.0.1'): string {
  return `postgres://${DATABASE_USER}:${password}@${host}:${port}/${DATABASE_NAME}`;
}

/**
 * A connection that marks this process as a user of the embedded server: the last holder stops the server, and a holder
 * whose connection breaks restarts it. Undefined while the server does not accept connections. Creates a missing
 * application database. Throws when the server on that port is not ours.
 */
export async function takeLease(url: string): Promise<Client | undefined> {
  const client = new Client({ connectionString: url, application_name: APPLICATION_NAME, keepAlive: true });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    const code = error instanceof DatabaseError ? error.code : undefined;
    if (code === INVALID_PASSWORD)
      throw new Error(`The server on ${new URL(url).host} is not this folder's PostgreSQL`);
    if (code === UNKNOWN_DATABASE) await createDatabase(url, DATABASE_NAME).catch(() => {});
    return undefined;
  }
}

/** Number of other processes with a lease on the same server. */
export async function otherLeases(lease: Client): Promise<number> {
  const { rows } = await lease.query<{ others: number }>(
    'select count(*)::int as others from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
    [APPLICATION_NAME],
  );
  return rows[0]?.others ?? 0;
}
