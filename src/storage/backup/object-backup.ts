import { join } from 'node:path';
import { storedKey } from '../objects/object-keys.js';
import { ObjectNotFound, type ObjectStore, ObjectStoreUnavailable } from '../objects/object-store.js';
import type { BackedUpObject } from './backup-manifest.js';
import { readHashed, writeHashed } from './hashed-files.js';
import type { Progress } from './progress.js';
import { listed, troubleOf } from './store-trouble.js';

/**
 * Copies a store's objects to files in `folder`, except those in `known`, to which it adds what it copied. Objects
 * deleted in the meantime are left out.
 */
export async function dumpObjects(
  store: ObjectStore,
  folder: string,
  known: Map<string, BackedUpObject>,
  progress: Progress,
): Promise<void> {
  progress.begin('copying the objects');
  for await (const { key } of listed(store.list(''))) {
    if (known.has(key)) continue;
    const file = join('objects', storedKey(key));
    try {
      const written = await writeHashed(join(folder, file), () => store.get(key), progress);
      known.set(key, { key, file, ...written });
    } catch (error) {
      if (!(error instanceof ObjectNotFound))
        throw new Error(`the object ${key}: ${troubleOf(error)}`, { cause: error });
    }
  }
}

/**
 * Restores a backup's objects to a store and compares each with its recorded size and hash. Returns the number of
 * bytes.
 */
export async function restoreObjects(
  store: ObjectStore,
  objects: BackedUpObject[],
  folder: string,
  progress: Progress,
): Promise<number> {
  progress.begin('restoring the objects');
  let bytes = 0;
  for (const { key, file, sha256, bytes: size } of objects) {
    const receipt = await store.put(key, readHashed(join(folder, file), sha256, progress)).catch((error: unknown) => {
      if (!(error instanceof ObjectStoreUnavailable)) throw error;
      throw new Error(`The object store refused the object ${key}: ${troubleOf(error)}`, { cause: error });
    });
    if (receipt.bytes !== size || receipt.sha256 !== sha256)
      throw new Error(`The object ${key} differs from its backup`);
    bytes += receipt.bytes;
  }
  return bytes;
}
