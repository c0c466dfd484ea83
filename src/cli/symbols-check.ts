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

/** How much is stored of a binary. */
type Detail = 'full' | 'names' | 'nothing';

type Stored = ReadonlyMap<string, Detail>;

const MARKS: Record<Detail, string> = { full: 'ok     ', names: 'names  ', nothing: 'missing' };

interface Wanted {
  path: string;
  /** What its symbols are called, for a person. */
  keys: string[];
  find(stored: Stored): Detail;
}

/**
 * Says for every binary and script of a build whether its symbols are stored, and when they know names only. Returns 0 when all
 * are stored with lines, else 1.
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
  const counts: Record<Detail, number> = { full: 0, names: 0, nothing: 0 };
  for (const { path, keys, find } of wanted) {
    const found = find(stored);
    counts[found] += 1;
    say(`${MARKS[found]} ${path} (${keys.join(', ')})${found === 'names' ? ': symbol names only' : ''}`);
  }
  if (counts.nothing > 0) say(`${counts.nothing} of ${wanted.length} have no symbols.`);
  if (counts.names > 0) say(`${counts.names} of ${wanted.length} have symbol names only.`);
  if (counts.full === wanted.length) say(`All ${wanted.length} have symbols.`);
  return counts.full === wanted.length ? 0 : 1;
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
  return keys.length === 0 ? [] : [{ path, keys, find: (stored) => least(keys.map((key) => detailOf(stored, key))) }];
}

/** Its map is stored under its file name or any longer end of its path. */
function scriptAt(path: string): Wanted {
  const parts = resolve(path).split(sep);
  const ends = parts.map((_, index) => plain(parts.slice(index).join('/')));
  return { path, keys: [basename(path)], find: (stored) => (ends.some((end) => stored.has(end)) ? 'full' : 'nothing') };
}

const detailOf = (stored: Stored, key: string): Detail => stored.get(plain(key)) ?? 'nothing';

/** Of a binary of several architectures as much is known as of the one that least is known of. */
function least(details: Detail[]): Detail {
  if (details.includes('nothing')) return 'nothing';
  return details.includes('names') ? 'names' : 'full';
}

/** The form in which keys are compared. */
const plain = (key: string): string => key.toLowerCase().replaceAll('-', '');

async function storedKeys(settings: CliSettings, options: CheckOptions): Promise<Stored> {
  const keys = new Map<string, Detail>();
  for await (const { matchKey, status, release, detail } of storedArtifacts(settings, options)) {
    const isOther = options.release !== undefined && release !== '' && release !== options.release;
    if (status === 'failed' || isOther) continue;
    for (const key of matchKey.split(',').map(plain)) {
      if (keys.get(key) !== 'full') keys.set(key, detail ?? 'full');
    }
  }
  return keys;
}
