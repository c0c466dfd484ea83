import { lacksKey, ObjectStoreUnavailable, SET_KEY, type StoredObject } from '../objects/object-store.js';
import { reasonOf } from './hashed-files.js';

/** Why an object store refuses something, and what the operator can do about it. Other errors explain themselves. */
export function troubleOf(error: unknown): string {
  if (!(error instanceof ObjectStoreUnavailable)) return reasonOf(error);
  const { code, $metadata } = error.cause as { code?: string; $metadata?: { httpStatusCode?: number } };
  if (lacksKey(error.cause)) return `the bucket wants a key, and none is set; ${SET_KEY}`;
  const status = $metadata?.httpStatusCode;
  const reason = reasonOf(error.cause);
  if (code === 'EACCES' || code === 'EPERM')
    return `${reason}; run this as the server's user, or grant this user access`;
  if (status === 401 || status === 403)
    return `${reason} (${status}); grant the key in S3_ACCESS_KEY_ID permission to list, read and write objects in S3_BUCKET`;
  return reason;
}

/** Lists a store's objects. Throws a readable error. */
export async function* listed(objects: AsyncIterable<StoredObject>): AsyncGenerator<StoredObject> {
  try {
    yield* objects;
  } catch (error) {
    throw new Error(`the objects cannot be listed: ${troubleOf(error)}`, { cause: error });
  }
}
