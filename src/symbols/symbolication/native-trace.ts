import { imageKeys } from '../match-key.js';
import { baseName, type CrashFrame, type CrashInput, type FrameStatus, unresolved } from './crash-frame.js';
import type { Missing, NativeSymbols, SymbolSource } from './symbol-source.js';
import { symbolicatedFrame } from './symbolicated-frame.js';
import { parseTombstone, type Tombstone, type TombstoneFrame } from './tombstone.js';

/** System libraries, whose symbols no build includes. */
const SYSTEM = /^\/(?:system|apex|vendor|product|odm)\b|^\[|^</;

/** Reads and resolves a native Android backtrace; null without one. */
export async function resolveNativeTrace(
  crash: CrashInput,
  text: string,
  source: SymbolSource,
  missing: Missing,
): Promise<{ exceptionType: string | null; frames: CrashFrame[]; stacktrace: string } | null> {
  const tombstone = parseTombstone(text);
  if (tombstone === null) return null;
  const symbols = new Map<string, NativeSymbols | null>();
  const frames: CrashFrame[] = [];
  const lines = [...tombstone.lines];
  for (const [reported, frame] of tombstone.frames.entries()) {
    const id = frame.buildId ?? idByName(crash, frame.library);
    if (id !== null && !symbols.has(id)) {
      const found = await source.native(imageKeys(id), tombstone.abi);
      if (!found?.table.hasDebugInfo && !SYSTEM.test(frame.library)) missing(id, 'android_ndk');
      symbols.set(id, found);
    }
    const resolved = resolveFrame(tombstone, frame, id, (id !== null && symbols.get(id)) || null, reported);
    frames.push(...resolved);
    lines[frame.line] = printed(tombstone.lines[frame.line] ?? '', frame, resolved);
  }
  return { exceptionType: crash.exceptionType ?? tombstone.signal, frames, stacktrace: lines.join('\n') };
}

/** A library's id from the event's images, because older systems do not print it. */
function idByName(crash: CrashInput, library: string): string | null {
  const name = baseName(library);
  return crash.images.find(({ codeFile }) => codeFile !== null && baseName(codeFile) === name)?.debugId ?? null;
}

function resolveFrame(
  { abi }: Tombstone,
  frame: TombstoneFrame,
  id: string | null,
  symbols: NativeSymbols | null,
  reported: number,
): CrashFrame[] {
  const known = {
    function: frame.function,
    file: null,
    line: null,
    column: null,
    address: `0x${frame.address.toString(16)}`,
    module: frame.library,
    inApp: !SYSTEM.test(frame.library),
  };
  const place = `${id ?? baseName(frame.library)}+${frame.address.toString(16)}`;
  const without = (status: FrameStatus, reason: string) => [{ ...unresolved(known, reported, status, reason), place }];
  if (id === null) return without('unknown_image', 'Neither the trace nor an image of the event has its build id.');
  if (symbols === null) return without('missing_symbol', 'No symbols are stored for the image.');
  const address = abi === 'arm' ? frame.address & ~1n : frame.address;
  const found = symbols.table.lookup(Number(address));
  if (found.length === 0) return without('missing_symbol', 'The symbols do not cover this address.');
  return found.map((one) => symbolicatedFrame(known, one, reported));
}

/** The line with symbolicated names; inlined calls get their own lines before it. */
function printed(raw: string, frame: TombstoneFrame, resolved: CrashFrame[]): string {
  if (resolved[0]?.status !== 'symbolicated') return raw;
  const start = raw.slice(0, raw.indexOf(frame.library) + frame.library.length);
  return resolved
    .map((one) => {
      const place = [one.file ?? '??', one.line, one.column].filter((part) => part !== null).join(':');
      return `${start} (${one.function} at ${place})`;
    })
    .join('\n');
}
