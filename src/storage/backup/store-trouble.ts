import { lacksKey, ObjectStoreUnavailable, SET_KEY, type StoredObject } from '../objects/object-store.js';
import { reasonOf } from './hashed-files.js';

/** Why an object store does not do something, and what the operator does about it. Other failures say so themselves. */
export function troubleOf(error: unknown): string {
  if (!(error instanceof ObjectStoreUnavailable)) return reasonOf(error);
  const { code, $metadata } = error.cause as { code?: string; $metadata?: { httpStatusCode?: number } };
  if (lacksKey(error.cause)) return `the bucket wants a key, and none is set; ${SET_KEY}`;
  const status = $metadata?.httpStatusCode;
  const reason = reasonOf(error.cause);
  if (code === 'EACCES' || code === 'EPERM')
    return `${reason}; run this as the user of the server, or give this user the right to it`;
  if (status === 401 || status === 403)
    return `${reason} (${status}); give the key of S3_ACCESS_KEY_ID the right to list, read and write the objects of S3_BUCKET`;
  return reason;
}

/** The objects as a store lists them. Throws in words for the operator. */
export async function* listed(objects: AsyncIterable<StoredObject>): AsyncGenerator<StoredObject> {
  try {
    yield* objects;
  } catch (error) {
    throw new Error(`the objects cannot be listed: ${troubleOf(error)}`, { cause: error });
  }
}
