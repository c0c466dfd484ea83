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

/** What is stored; keys in the form in which they are compared. */
interface Stored {
  /** Under the ids that are in files, whatever the release. */
  ids: Map<string, Detail>;
  /** The names of maps, of the release that is asked for or of none. */
  maps: Set<string>;
  /** Those of maps without a debug id, which may belong to a script with any. */
  mapsWithoutId: Set<string>;
}

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
  const stored = settings && (await whatIsStored(settings, options));
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
  if (isScriptName(path)) return [await scriptAt(path, dirname(path), options)];
  const inside = await recogniseFile(path);
  if (inside === null) return [{ path, what: 'nothing with symbols', keys: [], find: () => 'nothing' }];
  const { what, ids, kind } = inside;
  if (kind === 'js_sourcemap') {
    const script = path.replace(/\.map$/i, '');
    const find = findScript(script, dirname(path), options, ids);
    return [{ path, what, keys: ids.length > 0 ? ids : [basename(script)], find }];
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
    else if (entry.isFile() && isScriptName(path)) result.push(await scriptAt(path, root, naming));
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
  find: (stored) => (keys.length === 0 ? 'nothing' : least(keys.map((key) => stored.ids.get(plain(key)) ?? 'nothing'))),
});

async function scriptAt(path: string, folder: string, naming: ScriptNaming): Promise<Wanted> {
  const inside = await recogniseFile(path).catch(() => null);
  const ids = inside?.kind === 'js_sourcemap' ? inside.ids : [];
  return { path, what: 'script', keys: [basename(path), ...ids], find: findScript(path, folder, naming, ids) };
}

/**
 * As the server finds the map of a frame: by debug id, else under the script's file name or any longer end of its path, or as its
 * prefix says, unless it has another id.
 */
function findScript(path: string, folder: string, naming: ScriptNaming, ids: readonly string[]): Wanted['find'] {
  const parts = resolve(path).split(sep);
  const named = scriptKeys([{ path, folder }], naming).get(path) ?? '';
  const ends = [named, ...parts.map((_, index) => parts.slice(index).join('/'))].map(plain);
  return ({ ids: known, maps, mapsWithoutId }) => {
    const names = ids.length > 0 ? mapsWithoutId : maps;
    return ids.some((id) => known.has(plain(id))) || ends.some((end) => names.has(end)) ? 'full' : 'nothing';
  };
}

/** Of a binary of several architectures as much is known as of the one that least is known about. */
function least(details: Detail[]): Detail {
  if (details.includes('nothing')) return 'nothing';
  return details.includes('names') ? 'names' : 'full';
}

/** The form in which keys are compared: lower case, ids without the dashes of a UUID. */
function plain(key: string): string {
  const lower = key.trim().toLowerCase();
  const dashless = lower.replaceAll('-', '');
  return /^[0-9a-f]{16,}$/.test(dashless) ? dashless : lower;
}

async function whatIsStored(settings: CliSettings, options: CheckOptions): Promise<Stored> {
  const stored: Stored = { ids: new Map(), maps: new Set(), mapsWithoutId: new Set() };
  const { project, environment } = options;
  for await (const artifact of storedArtifacts(settings, { project, environment })) {
    const { matchKey, symbolKind, debugId, status, release, detail } = artifact;
    if (status === 'failed' || detail === 'code') continue;
    const isMap = symbolKind === 'js_sourcemap';
    const ids = isMap ? (debugId ?? '') : matchKey;
    for (const id of ids.split(',').map(plain)) if (stored.ids.get(id) !== 'full') stored.ids.set(id, detail ?? 'full');
    if (!isMap || (options.release !== null && release !== '' && release !== options.release)) continue;
    stored.maps.add(plain(matchKey));
    if (debugId === null) stored.mapsWithoutId.add(plain(matchKey));
  }
  return stored;
}
