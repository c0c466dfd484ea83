import { dartFileAddress } from '../dart/dart-address.js';
import { namedDartFrame } from '../dart/named-frame.js';
import { type DartTrace, parseDartTrace } from '../dart/parse-dart-trace.js';
import { imageKeys } from '../match-key.js';
import { type CrashFrame, type CrashInput, unresolved } from './crash-frame.js';
import type { Missing, NativeSymbols, SymbolSource } from './symbol-source.js';
import { symbolicatedFrame } from './symbolicated-frame.js';

/** A placeholder code start, so that only offsets in the code remain. */
const NO_SECTIONS = { isolate: 0n, vm: 0n };
const EMPTY = { function: null, file: null, line: null, column: null, module: null, inApp: null };

const MOST_FRAMES = 1_000;

/** Reads and resolves a Dart VM stack trace; one with names stays unchanged. Null for any other text. */
export async function resolveDartTrace(
  crash: CrashInput,
  text: string,
  source: SymbolSource,
  missing: Missing,
): Promise<{ frames: CrashFrame[]; stacktrace: string } | null> {
  const trace = parseDartTrace(text);
  if (trace === null) return withNames(text);
  const ids = [trace.buildId, ...crash.images.filter(({ type }) => type === 'dart').map(({ debugId }) => debugId)];
  const keys = [...new Set(ids.flatMap((id) => (id === null ? [] : imageKeys(id))))];
  const byId = keys.length > 0 ? await source.flutter(keys, trace.arch) : null;
  const symbols = byId ?? (await source.flutter([], trace.arch, keys.length > 0 ? 'build_id' : null));
  // The release's symbols may be from another build; the crash is symbolicated again when the right ones arrive.
  if (symbols === null || (byId === null && keys.length > 0))
    missing(keys[0] ?? `app.${trace.os ?? 'unknown'}-${trace.arch ?? 'unknown'}`, 'flutter_symbols');
  const frames: CrashFrame[] = [];
  const lines: string[] = [];
  let reported = 0;
  for (const line of trace.lines) {
    if (line.frame === null) {
      lines.push(line.text);
      continue;
    }
    const resolved = resolveLine(trace, line.frame, symbols, reported);
    reported += 1;
    frames.push(...resolved);
    lines.push(...resolved.map((frame) => printed(frame, line.text)));
  }
  return { frames, stacktrace: lines.join('\n') };
}

function withNames(text: string): { frames: CrashFrame[]; stacktrace: string } | null {
  const named = text.split('\n').flatMap((line) => namedDartFrame(line) ?? []);
  const frames = named.slice(0, MOST_FRAMES).map((frame, index) => {
    const reported = { ...EMPTY, ...frame, address: null, inApp: isInApp(frame.file) };
    return unresolved(reported, index, 'symbolicated', null);
  });
  return frames.length === 0 ? null : { frames, stacktrace: text };
}

const isInApp = (file: string): boolean => file.startsWith('package:') && !file.startsWith('package:flutter/');

function resolveLine(
  trace: DartTrace,
  frame: NonNullable<DartTrace['lines'][number]['frame']>,
  symbols: NativeSymbols | null,
  index: number,
): CrashFrame[] {
  const reportedAddress = frame.abs !== null && frame.abs !== 0n ? frame.abs : frame.virt;
  const reported = { ...EMPTY, address: reportedAddress === null ? null : `0x${reportedAddress.toString(16)}` };
  const place = `${trace.buildId ?? ''}+${dartFileAddress(trace, frame, NO_SECTIONS)?.toString(16) ?? ''}`;
  const without = (reason: string) => [{ ...unresolved(reported, index, 'missing_symbol', reason), place }];
  if (symbols === null) return without('No symbols of this Flutter build are stored.');
  const address = dartFileAddress(trace, frame, symbols.dartSections ?? { isolate: null, vm: null });
  const found = address === null ? [] : symbols.table.lookup(Number(address));
  if (found.length === 0) return without('The symbols do not cover this address.');
  return found.map((one) => symbolicatedFrame({ ...reported, inApp: isInApp(one.file) }, one, index));
}

/** The line as the Dart VM prints it without obfuscation. */
function printed(frame: CrashFrame, raw: string): string {
  if (frame.status !== 'symbolicated') return raw;
  const place = [frame.file ?? '??', frame.line, frame.column].filter((part) => part !== null).join(':');
  return `#${String(frame.reported).padEnd(7)}${frame.function} (${place})`;
}
