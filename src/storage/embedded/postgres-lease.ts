import { Client, DatabaseError } from 'pg';
import { createDatabase } from '../databases.js';
import { databaseUser } from './postgres-cluster.js';

const applicationName = 'quarterdeck keeper';
const databaseName = 'quarterdeck';
const invalidPassword = '28P01';
const unknownDatabase = '3D000';

/** The URL of the embedded server's application database. */
export function embeddedUrl(port: number, password: string): string {
  return `postgres://${databaseUser}:${password}@127.0.0.1:${port}/${databaseName}`;
}

/**
 * A connection that says "this process uses the embedded server": the last holder stops the server, and a holder
 * whose connection breaks brings it back. Undefined when the server does not take connections yet. Creates the
 * application database when it is missing. Throws when the server on that port is not ours.
 */
export async function takeLease(url: string): Promise<Client | undefined> {
  const client = new Client({ connectionString: url, application_name: applicationName, keepAlive: true });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    const code = error instanceof DatabaseError ? error.code : undefined;
    if (code === invalidPassword) throw new Error(`The server on ${new URL(url).host} is not this folder's PostgreSQL`);
    if (code === unknownDatabase) await createDatabase(url, databaseName).catch(() => {});
    return undefined;
  }
}

/** How many other processes hold a lease on the same server. */
export async function otherLeases(lease: Client): Promise<number> {
  const { rows } = await lease.query<{ others: number }>(
    'select count(*)::int as others from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
    [applicationName],
  );
  return rows[0]?.others ?? 0;
}
