import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { FileReplacer } from '../files/file-replacer.js';
import { FolderWalk } from '../files/folder-walk.js';
import { mapOf } from '../files/map-of-script.js';
import { HermesBytecode, isScriptName, scriptText } from '../files/script-text.js';
import { inlineMap, marksOf, withInlineMap } from '../inject/debug-id-text.js';
import { type InjectedPair, injectPair, marked } from '../inject/inject-pair.js';
import { printJson, printLine, printMessage } from '../terminal.js';

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

/**
 * Writes debug ids into scripts and their source maps. Returns 0, or 1 when one failed or none was found. Throws
 * UsageError.
 */
export async function injectDebugIds(options: InjectOptions): Promise<number> {
  const outcomes: Outcome[] = [];
  const run: Run = { isDryRun: options.isDryRun, done: new Map(), replacer: new FileReplacer() };
  for await (const { path, isNamed, form, problem } of new FolderWalk(options.ignore).all(options.paths)) {
    if (problem !== null) outcomes.push({ ...outcomeOf(path), status: 'failed', reason: problem });
    else if (form === 'file' && (isNamed || isScriptName(path))) outcomes.push(await injectOne(path, run));
  }
  const count = (status: Outcome['status']) => outcomes.filter((outcome) => outcome.status === status).length;
  if (options.json) printJson({ files: outcomes });
  else {
    for (const { status, path, debug_id: id, reason } of outcomes)
      printLine(`${status.padEnd(12)}${path}${id ? `  ${id}` : ''}${reason ? `: ${reason}` : ''}`);
  }
  printMessage(
    `${count('injected')} injected, ${count('unchanged')} unchanged, ${count('without map')} without a map, ${count('failed')} failed.`,
  );
  return count('failed') === 0 && count('injected') + count('unchanged') > 0 ? 0 : 1;
}

interface Run {
  isDryRun: boolean;
  /** Maps that have their id, by path, with the first script that uses each. */
  done: Map<string, { path: string; pair: InjectedPair }>;
  replacer: FileReplacer;
}

const outcomeOf = (path: string): Outcome => ({
  path,
  map: null,
  debug_id: null,
  status: 'without map',
  reason: null,
});

async function injectOne(shown: string, { isDryRun, done, replacer }: Run): Promise<Outcome> {
  const outcome = outcomeOf(shown);
  try {
    // A link stays a link: its target is written.
    const path = await realpath(shown);
    const script = await scriptText(path);
    const { mapAddress } = marksOf(script);
    const inline = inlineMap(mapAddress);
    const mapPath = inline === null ? ((await mapOf(path, mapAddress)) ?? (await mapOf(shown, mapAddress))) : null;
    outcome.map = mapPath === null || isAbsolute(shown) ? mapPath : relative('', mapPath);
    if (inline === null && mapPath === null) return outcome;
    const pair = pairOf(path, script, mapPath, inline ?? (await readFile(mapPath ?? path, 'utf8')), done);
    if (!pair.isUnchanged && !isDryRun) {
      // The map is written first: if this is interrupted, the map says which script it was shifted for.
      const ofScript = inline === null ? pair.script : withInlineMap(pair.script, pair.map);
      await replacer.write([...(mapPath === null ? [] : [[mapPath, pair.map] as const]), [path, ofScript]]);
    }
    return { ...outcome, debug_id: pair.debugId, status: pair.isUnchanged ? 'unchanged' : 'injected' };
  } catch (error) {
    const status = error instanceof HermesBytecode ? 'without map' : 'failed';
    return { ...outcome, status, reason: (error as Error).message };
  }
}

/** Copies of a script share its map, which is shifted once. Throws SyntaxError. */
function pairOf(path: string, script: string, mapPath: string | null, map: string, done: Run['done']): InjectedPair {
  const earlier = mapPath === null ? undefined : done.get(mapPath);
  if (earlier !== undefined && marked(script, earlier.pair.debugId) === earlier.pair.script)
    return { ...earlier.pair, isUnchanged: false };
  const isForeign = earlier !== undefined && !marksOf(script).snippetIds.includes(earlier.pair.debugId);
  const pair = isForeign ? null : injectPair(script, map);
  if (pair === null || (earlier !== undefined && !pair.isUnchanged))
    throw new SyntaxError(
      `its source map belongs to ${earlier?.path}; point its sourceMappingURL comment to its own map`,
    );
  if (mapPath !== null) done.set(mapPath, { path, pair });
  return pair;
}
