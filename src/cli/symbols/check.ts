import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { ignoresOf } from '../files/ignore-patterns.js';
import { recogniseFile } from '../files/recognise-file.js';
import { type ScriptNaming, scriptKeys } from '../files/script-keys.js';
import { isScriptName } from '../files/script-text.js';
import { storedArtifacts } from '../server/stored-artifacts.js';
import { type CliSettings, UsageError } from '../settings/settings.js';
import { say, sayJson, tell } from '../terminal.js';

/** What `symbols check` was asked. */
export interface CheckOptions extends ScriptNaming {
  paths: readonly string[];
  ignore: readonly string[];
  release: string | null;
  environment?: string | undefined;
  project?: string | undefined;
  json: boolean;
}

/** How much is stored of a file. */
type Detail = 'full' | 'names' | 'nothing';

type Stored = ReadonlyMap<string, Detail>;

const MARKS: Record<Detail, string> = { full: 'ok     ', names: 'names  ', nothing: 'missing' };

interface Wanted {
  path: string;
  /** What is inside, for a person. */
  what: string;
  /** What its symbols are called, for a person. */
  keys: string[];
  find(stored: Stored): Detail;
}

/**
 * Says what every binary and script of a build, and every file that is named, holds, and with settings whether its symbols are
 * stored, and when they know names only. Returns 0 when all are stored with lines, else 1.
 */
export async function checkSymbols(settings: CliSettings | null, options: CheckOptions): Promise<number> {
  const wanted: Wanted[] = [];
  for (const path of options.paths) wanted.push(...(await wantedAt(path, options)));
  if (wanted.length === 0) {
    tell('No binaries and no scripts were found.');
    return 1;
  }
  const stored = settings && (await storedKeys(settings, options));
  const found = wanted.map(({ path, what, keys, find }) => ({ path, what, keys, stored: stored && find(stored) }));
  if (options.json) sayJson({ files: found });
  else for (const one of found) say(lineOf(one));
  if (stored === null) return 0;
  const count = (detail: Detail) => found.filter((one) => one.stored === detail).length;
  if (count('nothing') > 0) tell(`${count('nothing')} of ${found.length} have no symbols.`);
  if (count('names') > 0) tell(`${count('names')} of ${found.length} have symbol names only.`);
  if (count('full') === found.length) tell(`All ${found.length} have symbols.`);
  return count('full') === found.length ? 0 : 1;
}

function lineOf({ path, what, keys, stored }: { path: string; what: string; keys: string[]; stored: Detail | null }) {
  const mark = stored === null ? '' : `${MARKS[stored]} `;
  return `${mark}${path} (${keys.join(', ') || 'no id'}): ${what}${stored === 'names' ? ', symbol names only' : ''}`;
}

async function wantedAt(path: string, options: CheckOptions): Promise<Wanted[]> {
  const there = await stat(path).catch(() => null);
  if (there === null) throw new UsageError(`There is nothing at ${path}.`);
  if (there.isDirectory()) return imagesBelow(path, path, ignoresOf(options.ignore), options);
  if (isScriptName(path)) return [scriptAt(path, dirname(path), options)];
  const inside = await recogniseFile(path);
  if (inside === null) return [{ path, what: 'nothing with symbols', keys: [], find: () => 'nothing' }];
  const { what, ids, kind } = inside;
  if (kind === 'js_sourcemap') {
    const { find } = scriptAt(path.replace(/\.map$/i, ''), dirname(path), options);
    return [{ path, what, keys: ids.length > 0 ? ids : [basename(path).replace(/\.map$/i, '')], find }];
  }
  const keys = ids.length === 0 && kind === 'android_mapping' && options.release ? [options.release] : ids;
  return [imageAt(path, what, keys)];
}

async function imagesBelow(
  folder: string,
  root: string,
  ignores: ReturnType<typeof ignoresOf>,
  naming: ScriptNaming,
): Promise<Wanted[]> {
  const result: Wanted[] = [];
  for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules' || entry.name.endsWith('.dSYM') || ignores(path, root)) continue;
    if (entry.isDirectory()) result.push(...(await imagesBelow(path, root, ignores, naming)));
    else if (entry.isFile() && isScriptName(path)) result.push(scriptAt(path, root, naming));
    else if (entry.isFile()) {
      const inside = await recogniseFile(path).catch(() => null);
      if (inside?.isImage && inside.ids.length > 0) result.push(imageAt(path, inside.what, inside.ids));
    }
  }
  return result;
}

const imageAt = (path: string, what: string, keys: string[]): Wanted => ({
  path,
  what,
  keys,
  find: (stored) => (keys.length === 0 ? 'nothing' : least(keys.map((key) => stored.get(plain(key)) ?? 'nothing'))),
});

/** Its map is stored under its file name or any longer end of its path, or as its prefix says. */
function scriptAt(path: string, folder: string, naming: ScriptNaming): Wanted {
  const parts = resolve(path).split(sep);
  const named = scriptKeys([{ path, folder }], naming).get(path) ?? '';
  const ends = [named, ...parts.map((_, index) => parts.slice(index).join('/'))].map(plain);
  return {
    path,
    what: 'script',
    keys: [basename(path)],
    find: (stored) => (ends.some((end) => stored.has(end)) ? 'full' : 'nothing'),
  };
}

/** Of a binary of several architectures as much is known as of the one that least is known about. */
function least(details: Detail[]): Detail {
  if (details.includes('nothing')) return 'nothing';
  return details.includes('names') ? 'names' : 'full';
}

/** The form in which keys are compared. */
const plain = (key: string): string => key.toLowerCase().replaceAll('-', '');

async function storedKeys(settings: CliSettings, options: CheckOptions): Promise<Stored> {
  const keys = new Map<string, Detail>();
  const { project, environment } = options;
  for await (const { matchKey, status, release, detail } of storedArtifacts(settings, { project, environment })) {
    const isOther = options.release !== null && release !== '' && release !== options.release;
    if (status === 'failed' || isOther || detail === 'code') continue;
    for (const key of matchKey.split(',').map(plain)) {
      if (keys.get(key) !== 'full') keys.set(key, detail ?? 'full');
    }
  }
  return keys;
}
