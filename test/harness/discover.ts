import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Imports every compiled file of a folder that ends in `suffix`, in order of name. */
export async function importAll<T>(folder: string, suffix: string): Promise<T[]> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(suffix))
    .sort();
  return Promise.all(files.map(async (file) => (await import(pathToFileURL(join(folder, file)).href)) as T));
}
