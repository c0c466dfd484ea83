import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from '../../../storage/objects/object-store.js';

/** Copies an object to a temporary file for readers that need random access; the file is deleted afterwards. */
export async function withLocalCopy<T>(
  objects: ObjectStore,
  key: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-symbols-'));
  try {
    const path = join(folder, 'file');
    await pipeline(await objects.get(key), createWriteStream(path, { mode: 0o600 }));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function withLocalCopies<T>(
  objects: ObjectStore,
  keys: readonly string[],
  use: (paths: string[]) => Promise<T>,
): Promise<T> {
  const [first, ...others] = keys;
  if (first === undefined) return use([]);
  return withLocalCopy(objects, first, (path) => withLocalCopies(objects, others, (paths) => use([path, ...paths])));
}
