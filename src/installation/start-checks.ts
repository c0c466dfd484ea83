import { createServer } from 'node:net';
import pg from 'pg';
import { type Env, SettingError } from '../env.js';
import type { Logger } from '../kernel/logger.js';
import { lacksKey, type ObjectStore, ObjectStoreUnavailable, SET_KEY } from '../storage/objects/object-store.js';

const CONNECT_MS = 10_000;
/** PostgreSQL 15. */
const OLDEST_VERSION = 150_000;

/** Throws {@link SettingError} when the database in DATABASE_URL can't be used. */
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
      throw new SettingError(`DATABASE_URL points to PostgreSQL ${server.version}; version 15 or newer is required.`);
  } catch (error) {
    throw error instanceof SettingError ? error : new SettingError(databaseSentence(error as DatabaseError, client));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** URL parameters may name files, such as sslrootcert, which are read here. */
function clientOf(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  } catch (error) {
    throw new SettingError(`DATABASE_URL cannot be used (${(error as Error).message}). Correct its parameters.`);
  }
}

type DatabaseError = Error & { code?: string };

/** PostgreSQL's error classes and codes; an error without one means that nothing answered. */
function databaseSentence({ code, message }: DatabaseError, { host, port, user, database }: pg.Client): string {
  const place = `${host}:${port}`;
  if (!user && code?.startsWith('28'))
    return 'DATABASE_URL must contain a user, as in postgres://user:password@host/name.';
  if (code?.startsWith('28'))
    return `DATABASE_URL: PostgreSQL at ${place} rejects the user "${user}" (${message}). Check the name and the password.`;
  if (code === '3D000')
    return `DATABASE_URL: PostgreSQL at ${place} has no database "${database}". Create it, or use another name.`;
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E'))
    return `DATABASE_URL: PostgreSQL at ${place} cannot be used: ${message}.`;
  return `DATABASE_URL: no PostgreSQL answers at ${place} (${message || code}). Start it, or correct the address.`;
}

/** Logs what to do about an unusable object store. Most of the server works without one, so it starts anyway. */
export async function warnOfUnusableObjects(objects: ObjectStore, env: Env, logger: Logger): Promise<void> {
  try {
    await objects.check();
  } catch (error) {
    const cause = (error instanceof ObjectStoreUnavailable ? error.cause : error) as StoreError;
    const sentence = env.s3Endpoint
      ? `The object store at ${new URL(env.s3Endpoint).origin} ${bucketTrouble(cause, env.s3Bucket)}`
      : `The object store in DATA_DIR cannot be used (${cause.message}). Give this user write permission there, and make sure there is free space`;
    logger.warn(`${sentence}. Until then symbol files and profiles are rejected.`);
  }
}

type StoreError = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

function bucketTrouble(cause: StoreError, bucket: string): string {
  if (lacksKey(cause)) return `wants a key, and none is set; ${SET_KEY}`;
  const { code, message, $metadata } = cause;
  const status = $metadata?.httpStatusCode;
  if (status === 404) return `has no bucket "${bucket}". Create it, or set S3_BUCKET to another`;
  if (status === 401 || status === 403)
    return `rejects the key for the bucket "${bucket}". Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the key's permissions`;
  return `cannot be used (${status ?? (message || code)}). Start it, or correct S3_ENDPOINT`;
}

/** Throws {@link SettingError} when a port can't be listened on, before anything else is started. */
export async function requirePort(name: 'PORT' | 'PROBE_PORT', port: number, host: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portError(name, port, host, error)));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

/** What to do about a port or address that can't be listened on. */
export function portError(name: string, port: number, host: string, { code, message }: NodeJS.ErrnoException): Error {
  if (code === 'EADDRINUSE')
    return new SettingError(
      `${name} ${port} on ${host} is already in use. Stop the other program, or set ${name} to another port.`,
    );
  if (code === 'EACCES')
    return new SettingError(
      `${name} ${port} needs privileges that this user does not have. Set ${name} to a port above 1023.`,
    );
  return new SettingError(`HOST ${host} cannot be listened on (${message}). Use an address of this machine.`);
}
