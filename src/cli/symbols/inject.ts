import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ignoresOf } from '../files/ignore-patterns.js';
import { marksOf } from '../inject/debug-id-text.js';
import { injectPair } from '../inject/inject-pair.js';
import { UsageError } from '../settings/settings.js';
import { say, sayJson, tell } from '../terminal.js';

/** What `symbols inject` was asked. */
export interface InjectOptions {
  paths: readonly string[];
  ignore: readonly string[];
  isDryRun: boolean;
  json: boolean;
}

interface Outcome {
  path: string;
  map: string | null;
  debug_id: string | null;
  status: 'injected' | 'unchanged' | 'without map' | 'failed';
  reason: string | null;
}

/** Writes debug ids into the scripts below folders and into their maps. Returns 0, or 1 when one failed or none was found. Throws UsageError. */
export async function injectDebugIds(options: InjectOptions): Promise<number> {
  const outcomes: Outcome[] = [];
  for (const path of options.paths) {
    for (const script of await scriptsAt(path, options.ignore))
      outcomes.push(await injectOne(script, options.isDryRun));
  }
  const count = (status: Outcome['status']) => outcomes.filter((outcome) => outcome.status === status).length;
  if (options.json) sayJson({ files: outcomes });
  else {
    for (const { status, path, debug_id: id, reason } of outcomes)
      say(`${status.padEnd(12)}${path}${id ? `  ${id}` : ''}${reason ? `: ${reason}` : ''}`);
  }
  tell(
    `${count('injected')} injected, ${count('unchanged')} unchanged, ${count('without map')} without a map, ${count('failed')} failed.`,
  );
  return count('failed') === 0 && count('injected') + count('unchanged') > 0 ? 0 : 1;
}

async function injectOne(path: string, isDryRun: boolean): Promise<Outcome> {
  const outcome: Outcome = { path, map: null, debug_id: null, status: 'without map', reason: null };
  try {
    const script = await readFile(path, 'utf8');
    const mapPath = await mapOf(path, marksOf(script).mapAddress);
    if (mapPath === null) return outcome;
    outcome.map = mapPath;
    const pair = injectPair(script, await readFile(mapPath, 'utf8'));
    if (!pair.isUnchanged && !isDryRun) {
      await writeFile(`${mapPath}.injected`, pair.map);
      await writeFile(`${path}.injected`, pair.script, { mode: (await stat(path)).mode });
      await rename(`${mapPath}.injected`, mapPath);
      await rename(`${path}.injected`, path);
    }
    return { ...outcome, debug_id: pair.debugId, status: pair.isUnchanged ? 'unchanged' : 'injected' };
  } catch (error) {
    return { ...outcome, status: 'failed', reason: (error as Error).message };
  }
}

/** The file that the script's comment names, when it lies beside or below the script's folder; else the script's name with `.map`. */
async function mapOf(path: string, address: string | null): Promise<string | null> {
  const named =
    address === null || /^[a-z][a-z0-9+.-]+:/i.test(address) ? [] : [resolve(dirname(path), decoded(address))];
  for (const candidate of [...named, `${path}.map`]) {
    const isInside = !relative(dirname(path), candidate).startsWith(`..${sep}..`);
    if (isInside && (await stat(candidate).catch(() => null))?.isFile()) return candidate;
  }
  return null;
}

function decoded(address: string): string {
  const path = address.replace(/[?#].*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function scriptsAt(path: string, ignore: readonly string[]): Promise<string[]> {
  const there = await stat(path).catch(() => null);
  if (there === null) throw new UsageError(`There is nothing at ${path}.`);
  if (!there.isDirectory()) return [path];
  const ignores = ignoresOf(ignore);
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => ({ entry, file: join(entry.parentPath, entry.name) }))
    .filter(
      ({ entry, file }) =>
        entry.isFile() && /\.[cm]?js$/.test(file) && !file.split(sep).includes('node_modules') && !ignores(file, path),
    )
    .map(({ file }) => file)
    .sort();
}
