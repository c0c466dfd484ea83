import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
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
  /** What its symbols are called, for a person. */
  keys: string[];
  isStored(stored: ReadonlySet<string>): boolean;
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
  for (const { path, keys, isStored } of wanted) {
    const found = isStored(stored);
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
  if (/\.(?:[cm]?js|bundle|jsbundle)$/.test(path)) return [scriptAt(path)];
  const keys = await imageIds(path);
  return keys.length === 0 ? [] : [{ path, keys, isStored: (stored) => keys.every((key) => stored.has(plain(key))) }];
}

/** Its map is stored under its file name or any longer end of its path. */
function scriptAt(path: string): Wanted {
  const parts = resolve(path).split(sep);
  const ends = parts.map((_, index) => plain(parts.slice(index).join('/')));
  return { path, keys: [basename(path)], isStored: (stored) => ends.some((end) => stored.has(end)) };
}

/** The form in which keys are compared. */
const plain = (key: string): string => key.toLowerCase().replaceAll('-', '');

async function storedKeys(settings: CliSettings, options: CheckOptions): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const { matchKey, status, release } of storedArtifacts(settings, options)) {
    const isOther = options.release !== undefined && release !== '' && release !== options.release;
    if (status === 'failed' || isOther) continue;
    for (const key of matchKey.split(',')) keys.add(plain(key));
  }
  return keys;
}
