import { imageKeys, normalizeKey } from '../match-key.js';
import type { ScriptFrame } from '../source-map/resolve-frame.js';
import { type CrashFrame, type CrashInput, type ReportedFrame, unresolved } from './crash-frame.js';
import type { SymbolSource } from './symbol-source.js';

/** Resolves frames of JavaScript bundles by source map. */
export async function resolveScriptFrames(
  crash: CrashInput,
  source: SymbolSource,
  missing: (key: string, kind: string) => void,
): Promise<CrashFrame[]> {
  const result: CrashFrame[] = [];
  for (const [index, frame] of crash.frames.entries()) {
    const script = scriptFrame(frame);
    if (script === null || frame.file === null) {
      result.push(unresolved(frame, index, 'malformed', 'A script frame needs file, line and column, both from 1.'));
      continue;
    }
    const resolver = await source.sourceMap(scriptKeys(crash, frame.file));
    if (resolver === null) {
      missing(fileName(frame.file), 'js_sourcemap');
      result.push(unresolved(frame, index, 'missing_symbol', `No source map is stored for ${fileName(frame.file)}.`));
      continue;
    }
    const caller = crash.frames[index + 1];
    const found = resolver.resolve(script, caller?.file === frame.file ? scriptFrame(caller) : null);
    result.push(
      found === null
        ? unresolved(frame, index, 'missing_symbol', 'The source map says nothing about this place.')
        : { ...frame, ...found, status: 'symbolicated', reason: null, reported: index, inlined: false },
    );
  }
  return result;
}

function scriptFrame(frame: ReportedFrame): ScriptFrame | null {
  const { line, column } = frame;
  if (line === null || column === null || line < 1 || column < 1) return null;
  return { function: frame.function, line, column };
}

/** The debug id that the bundle carries, its path, and its file name. */
function scriptKeys(crash: CrashInput, file: string): string[] {
  const image = crash.images.find((candidate) => candidate.codeFile === file && candidate.debugId !== null);
  const keys = [fileName(file), path(file), `~${path(file)}`].map(normalizeKey);
  return [...(image?.debugId ? imageKeys(image.debugId) : []), ...new Set(keys)];
}

function path(file: string): string {
  return file.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/, '');
}

function fileName(file: string): string {
  const plain = path(file);
  return plain.slice(plain.lastIndexOf('/') + 1);
}
