import { basename, dirname, resolve, sep } from 'node:path';
import { FolderWalk, type Place } from '../files/folder-walk.js';
import { recogniseFile } from '../files/recognise-file.js';
import { type ScriptNaming, scriptKeys } from '../files/script-keys.js';
import { isScriptName } from '../files/script-text.js';
import { storedArtifacts } from '../server/stored-artifacts.js';
import type { CliSettings, CommonOptions } from '../settings/settings.js';
import { printJson, printLine, printMessage } from '../terminal.js';

export interface CheckOptions extends ScriptNaming, CommonOptions {
  paths: readonly string[];
  ignore: readonly string[];
  release: string | null;
}

/** How much of a file's symbols is stored. */
type Detail = 'full' | 'names' | 'nothing';

/** Stored symbols, by normalized key. */
interface Stored {
  /** By the ids in files, whatever the release. */
  ids: Map<string, Detail>;
  /** Names of maps of the requested release or without a release. */
  maps: Set<string>;
  /** Names of maps without a debug id, which match a script with any id. */
  mapsWithoutId: Set<string>;
}

const MARKS: Record<Detail, string> = { full: 'ok     ', names: 'names  ', nothing: 'missing' };

interface Wanted {
  path: string;
  /** What it contains, as shown to the user. */
  what: string;
  /** The keys of its symbols, as shown to the user. */
  keys: string[];
  find(stored: Stored): Detail;
}

/**
 * Shows what each binary, script and named file contains and, given settings, whether its symbols are stored in full or
 * with names only. Returns 0 when all are stored in full, else 1.
 */
export async function checkSymbols(settings: CliSettings | null, options: CheckOptions): Promise<number> {
  const wanted: Wanted[] = [];
  for await (const place of new FolderWalk(options.ignore).all(options.paths)) {
    const one = await wantedAt(place, options);
    if (one !== null) wanted.push(one);
  }
  const stored = settings && wanted.length > 0 ? await whatIsStored(settings, options) : null;
  const found = wanted.map(({ path, what, keys, find }) => ({ path, what, keys, stored: stored && find(stored) }));
  if (options.json) printJson({ files: found });
  else for (const one of found) printLine(lineOf(one));
  if (found.length === 0) printMessage('No binaries or scripts found.');
  if (found.length === 0 || stored === null) return found.length === 0 ? 1 : 0;
  const count = (detail: Detail) => found.filter((one) => one.stored === detail).length;
  if (count('nothing') > 0) printMessage(`${count('nothing')} of ${found.length} have no symbols.`);
  if (count('names') > 0) printMessage(`${count('names')} of ${found.length} have symbol names only.`);
  if (count('full') === found.length) printMessage(`All ${found.length} have symbols.`);
  return count('full') === found.length ? 0 : 1;
}

function lineOf({ path, what, keys, stored }: { path: string; what: string; keys: string[]; stored: Detail | null }) {
  const mark = stored === null ? '' : `${MARKS[stored]} `;
  return `${mark}${path} (${keys.join(', ') || 'no id'}): ${what}${stored === 'names' ? ', symbol names only' : ''}`;
}

/** In a folder only binaries and scripts need symbols; a named file is always listed. */
async function wantedAt(
  { path, folder, isNamed, form, problem }: Place,
  options: CheckOptions,
): Promise<Wanted | null> {
  if (problem !== null) return { path, what: `could not be read: ${problem}`, keys: [], find: () => 'nothing' };
  if (form === 'bundle') return null;
  if (isScriptName(path)) return scriptAt(path, folder, options);
  if (isNamed) return namedAt(path, options);
  const inside = await recogniseFile(path).catch(() => null);
  return inside?.isImage ? imageAt(path, inside.what, inside.ids) : null;
}

async function namedAt(path: string, options: CheckOptions): Promise<Wanted> {
  const inside = await recogniseFile(path);
  if (inside === null) return { path, what: 'no symbols', keys: [], find: () => 'nothing' };
  const { what, ids, kind } = inside;
  if (kind === 'js_sourcemap') {
    const script = path.replace(/\.map$/i, '');
    const find = findScript(script, dirname(path), options, ids);
    return { path, what, keys: ids.length > 0 ? ids : [basename(script)], find };
  }
  const keys = ids.length === 0 && kind === 'android_mapping' && options.release ? [options.release] : ids;
  return imageAt(path, what, keys);
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
 * Matches maps as the server does: by debug id, or by the script's file name, any longer end of its path, or its
 * prefixed path, unless the map has another id.
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

/** A binary with several architectures counts as its least known one. */
function least(details: Detail[]): Detail {
  if (details.includes('nothing')) return 'nothing';
  return details.includes('names') ? 'names' : 'full';
}

/** Normalizes a key for comparison: lowercase, UUIDs without dashes. */
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
