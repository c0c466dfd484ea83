import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { storedArtifacts } from './ask-server.js';
import { imageIds } from './image-ids.js';
import { type CliSettings, UsageError } from './settings.js';

/** What `symbols check` was asked. */
export interface CheckOptions {
  paths: string[];
  release?: string | undefined;
  environment?: string | undefined;
  project?: string | undefined;
}

interface Wanted {
  path: string;
  /** Any of them will do. */
  keys: string[];
}

/**
 * Says for every binary and script of a build whether its symbols are stored. Returns 0 when all are, else 1.
 */
export async function checkSymbols(
  settings: CliSettings,
  options: CheckOptions,
  say: (line: string) => void,
): Promise<number> {
  if (options.paths.length === 0) throw new UsageError('Name the folder of the build.');
  const wanted: Wanted[] = [];
  for (const path of options.paths) wanted.push(...(await imagesBelow(path)));
  if (wanted.length === 0) {
    say('No binaries and no scripts were found.');
    return 1;
  }
  const stored = await storedKeys(settings, options);
  let missing = 0;
  for (const { path, keys } of wanted) {
    const found = keys.every((key) => stored.has(key.toLowerCase().replaceAll('-', '')));
    if (!found) missing += 1;
    say(`${found ? 'ok     ' : 'missing'} ${path} (${keys.join(', ')})`);
  }
  say(missing === 0 ? `All ${wanted.length} have symbols.` : `${missing} of ${wanted.length} have no symbols.`);
  return missing === 0 ? 0 : 1;
}

async function imagesBelow(path: string): Promise<Wanted[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new UsageError(`There is nothing at ${path}.`);
  if (found.isDirectory()) {
    const result: Wanted[] = [];
    for (const name of (await readdir(path)).sort()) {
      if (name !== 'node_modules' && !name.endsWith('.dSYM')) result.push(...(await imagesBelow(join(path, name))));
    }
    return result;
  }
  if (!found.isFile()) return [];
  if (/\.(?:[cm]?js|bundle|jsbundle)$/.test(path)) return [{ path, keys: [basename(path)] }];
  const keys = await imageIds(path);
  return keys.length === 0 ? [] : [{ path, keys }];
}

async function storedKeys(settings: CliSettings, options: CheckOptions): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const { matchKey, status, release } of storedArtifacts(settings, options)) {
    const isOther = options.release !== undefined && release !== '' && release !== options.release;
    if (status === 'failed' || isOther) continue;
    for (const key of matchKey.split(',')) keys.add(key.toLowerCase().replaceAll('-', ''));
  }
  return keys;
}
