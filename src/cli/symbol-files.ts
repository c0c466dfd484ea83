import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { UsageError } from './settings.js';

/** A file to upload, or a folder to upload as a zip. */
export interface SymbolFile {
  path: string;
  /** Name under which it is sent. */
  name: string;
  /** Null: the server reads it from the file. */
  matchKey: string | null;
  isFolder: boolean;
}

interface Found {
  path: string;
  isFolder: boolean;
}

/** One row per kind: which files and folders below a path are its symbols, and what they are called (conventions of 4.3). */
const CONVENTIONS: Record<string, { looksFor: string; takes(found: Found): boolean; isNamedByScript?: true }> = {
  js_sourcemap: {
    looksFor: 'files named *.map',
    takes: ({ path, isFolder }) => !isFolder && path.endsWith('.map'),
    isNamedByScript: true,
  },
  ios_dsym: {
    looksFor: 'folders named *.dSYM and files named *.dSYM.zip',
    takes: ({ path, isFolder }) => (isFolder ? path.endsWith('.dSYM') : path.endsWith('.dSYM.zip')),
  },
  android_mapping: {
    looksFor: 'files named mapping*.txt',
    takes: ({ path, isFolder }) => !isFolder && /(?:^|[/\\])mapping[^/\\]*\.txt$/.test(path),
  },
  android_ndk: {
    looksFor: 'files named *.so, *.so.dbg, *.so.sym or *.dwp',
    takes: ({ path, isFolder }) => !isFolder && /\.(?:so(?:\.dbg|\.sym)?|dwp)$/.test(path),
  },
  flutter_symbols: {
    looksFor: 'files named *.symbols',
    takes: ({ path, isFolder }) => !isFolder && path.endsWith('.symbols'),
  },
};

export const KINDS = Object.keys(CONVENTIONS);

/** The files of a kind at or below the paths; a path that names a file is taken whatever it is called. Throws UsageError. */
export async function findSymbolFiles(kind: string, paths: string[]): Promise<SymbolFile[]> {
  const convention = CONVENTIONS[kind];
  if (convention === undefined) throw new UsageError(`--kind is one of ${KINDS.join(', ')}.`);
  if (paths.length === 0) throw new UsageError('Name the files or folders to look through.');
  const found: Found[] = [];
  for (const path of paths) {
    const there = await stat(path).catch(() => null);
    if (there === null) throw new UsageError(`There is nothing at ${path}.`);
    const given = { path, isFolder: there.isDirectory() };
    found.push(...(given.isFolder && !convention.takes(given) ? await walk(path, convention.takes) : [given]));
  }
  const keys = convention.isNamedByScript ? scriptKeys(found.map(({ path }) => path)) : null;
  return found.map((one) => ({
    ...one,
    name: one.isFolder ? `${basename(one.path)}.zip` : basename(one.path),
    matchKey: keys?.get(one.path) ?? null,
  }));
}

/**
 * What the scripts of source maps are called: their file name, or for those that share one, their path below the folder
 * that holds them all.
 */
function scriptKeys(maps: string[]): Map<string, string> {
  const scripts = maps.map((map) => ({
    map,
    path: resolve(map)
      .replace(/\.map$/, '')
      .split(sep),
  }));
  const keys = new Map<string, string>();
  for (const same of Map.groupBy(scripts, ({ path }) => path.at(-1)?.toLowerCase()).values()) {
    const [{ path: first = [] } = {}] = same;
    const isShared = (depth: number) =>
      same.every(({ path }) => depth < path.length - 1 && path[depth] === first[depth]);
    let shared = 0;
    while (isShared(shared)) shared += 1;
    for (const { map, path } of same) keys.set(map, path.slice(shared).join('/'));
  }
  return keys;
}

/** What is looked for in folders, for a person. */
export function conventionOf(kind: string): string {
  return CONVENTIONS[kind]?.looksFor ?? '';
}

async function walk(folder: string, takes: (found: Found) => boolean): Promise<Found[]> {
  const result: Found[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const found = { path: join(folder, entry.name), isFolder: entry.isDirectory() };
    if (entry.name === 'node_modules' || entry.name.startsWith('._')) continue;
    if (takes(found)) result.push(found);
    else if (found.isFolder) result.push(...(await walk(found.path, takes)));
  }
  return result.sort((a, b) => (a.path < b.path ? -1 : 1));
}
