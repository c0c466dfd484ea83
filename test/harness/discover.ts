import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Imports every compiled file in a folder, recursively, whose name ends in `suffix`, sorted by path. */
export async function importAll<T>(folder: string, suffix: string): Promise<T[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix))
    .sort();
  return Promise.all(files.map(async (file) => (await import(pathToFileURL(join(folder, file)).href)) as T));
}
