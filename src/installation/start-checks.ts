import { createServer } from 'node:net';
import pg from 'pg';
import { type Env, SettingError } from '../env.js';
import type { Logger } from '../kernel/logger.js';
import { lacksKey, type ObjectStore, ObjectStoreUnavailable, SET_KEY } from '../storage/objects/object-store.js';

const CONNECT_MS = 10_000;
/** PostgreSQL 15. */
const OLDEST_VERSION = 150_000;

/** Throws {@link SettingError} when the database that DATABASE_URL names cannot be used. */
export async function requireDatabase(url: string): Promise<void> {
  const client = clientOf(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number; version: string }>(
      "select current_setting('server_version_num')::int as number, current_setting('server_version') as version",
    );
    const [server] = rows;
    if (server && server.number < OLDEST_VERSION)
      throw new SettingError(`DATABASE_URL names PostgreSQL ${server.version}; it must be 15 or newer.`);
  } catch (error) {
    throw error instanceof SettingError ? error : new SettingError(databaseSentence(error as DatabaseError, client));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Parameters of the address may name files, as sslrootcert does, which are read here. */
function clientOf(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  } catch (error) {
    throw new SettingError(`DATABASE_URL cannot be used (${(error as Error).message}); correct its parameters.`);
  }
}

type DatabaseError = Error & { code?: string };

/** The classes and codes of PostgreSQL's errors; without one, nobody has answered. */
function databaseSentence({ code, message }: DatabaseError, { host, port, user, database }: pg.Client): string {
  const place = `${host}:${port}`;
  if (!user && code?.startsWith('28'))
    return 'DATABASE_URL must name a user, as in postgres://user:password@host/name.';
  if (code?.startsWith('28'))
    return `DATABASE_URL: PostgreSQL at ${place} refuses the user "${user}" (${message}); check the name and the password.`;
  if (code === '3D000')
    return `DATABASE_URL: PostgreSQL at ${place} has no database "${database}"; create it, or name another.`;
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E'))
    return `DATABASE_URL: PostgreSQL at ${place} cannot be used: ${message}.`;
  return `DATABASE_URL: no PostgreSQL answers at ${place} (${message || code}); start it, or name the right address.`;
}

/** Says in the log what to do about an object store that cannot be used. The server does without for most of what it does, so it starts. */
export async function tellUnusableObjects(objects: ObjectStore, env: Env, logger: Logger): Promise<void> {
  try {
    await objects.check();
  } catch (error) {
    const cause = (error instanceof ObjectStoreUnavailable ? error.cause : error) as StoreError;
    const sentence = env.s3Endpoint
      ? `The object store at ${new URL(env.s3Endpoint).origin} ${bucketTrouble(cause, env.s3Bucket)}`
      : `The object store in DATA_DIR cannot be used (${cause.message}); give this user the right to write there, and room`;
    logger.warn(`${sentence}. Until then symbol files and profiles are refused.`);
  }
}

type StoreError = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

function bucketTrouble(cause: StoreError, bucket: string): string {
  if (lacksKey(cause)) return `wants a key, and none is set; ${SET_KEY}`;
  const { code, message, $metadata } = cause;
  const status = $metadata?.httpStatusCode;
  if (status === 404) return `has no bucket "${bucket}"; create it, or name another in S3_BUCKET`;
  if (status === 401 || status === 403)
    return `refuses the key for the bucket "${bucket}"; check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and what the key may do`;
  return `cannot be used (${status ?? (message || code)}); start it, or correct S3_ENDPOINT`;
}

/** Throws {@link SettingError} when a port cannot be listened on, before anything else is begun for it. */
export async function requirePort(name: 'PORT' | 'PROBE_PORT', port: number, host: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portError(name, port, host, error)));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

/** What to do about a port or address that cannot be listened on. */
export function portError(name: string, port: number, host: string, { code, message }: NodeJS.ErrnoException): Error {
  if (code === 'EADDRINUSE')
    return new SettingError(
      `${name} ${port} of ${host} is taken by another program; end that, or set ${name} to another.`,
    );
  if (code === 'EACCES')
    return new SettingError(
      `${name} ${port} needs rights that this user does not have; set ${name} to one above 1023.`,
    );
  return new SettingError(`HOST ${host} cannot be listened on (${message}); name an address of this machine.`);
}
