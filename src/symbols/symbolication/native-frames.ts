import { imageKeys } from '../match-key.js';
import { type CrashCause, parseAddress, placeFrames } from '../native/place-frames.js';
import { resolveFrames } from '../native/resolve-frames.js';
import type { OpenTable } from '../table/open-table.js';
import {
  baseName,
  type CrashFrame,
  type CrashInput,
  type DebugImage,
  type ReportedFrame,
  unresolved,
} from './crash-frame.js';
import type { Missing, SymbolSource } from './symbol-source.js';
import { symbolicatedFrame } from './symbolicated-frame.js';

/** Resolves instruction addresses with the images loaded around them. */
export async function resolveNativeFrames(
  crash: CrashInput,
  source: SymbolSource,
  missing: Missing,
): Promise<CrashFrame[]> {
  const addresses = crash.frames.map((frame) => frame.address);
  const cause: CrashCause = { signal: crash.exceptionType, pc: crash.programCounter };
  const tables = await tablesFor(crash, addresses, cause, source, missing);
  const resolved = resolveFrames(addresses, crash.images, cause, (image) => tables.get(image) ?? null);
  return resolved.flatMap((result, index): CrashFrame[] => {
    const frame = crash.frames[index];
    if (frame === undefined) return [];
    const image = crash.images[result.image];
    const known = { ...frame, module: frame.module ?? image?.codeFile ?? null };
    if (result.status !== 'symbolicated')
      return [{ ...unresolved(known, index, result.status, result.reason), place: placeOf(known, image) }];
    return result.frames.map((one) => symbolicatedFrame(known, one, index));
  });
}

/** The image's id or name, and the distance from its load address. */
function placeOf({ address, module }: ReportedFrame, image: DebugImage | undefined): string {
  const [at, start] = [parseAddress(address), parseAddress(image?.imageAddress ?? null)];
  const offset = at === null || start === null ? '' : (at - start).toString(16);
  return `${image?.debugId ?? baseName(module ?? '')}+${offset}`;
}

/** The tables of the images that contain any of the addresses. */
async function tablesFor(
  crash: CrashInput,
  addresses: (string | null)[],
  cause: CrashCause,
  source: SymbolSource,
  missing: Missing,
): Promise<Map<number, OpenTable>> {
  const tables = new Map<number, OpenTable>();
  const seen = new Set<number>();
  for (const place of placeFrames(addresses, crash.images, cause)) {
    if (place.status !== 'placed' || seen.has(place.image)) continue;
    seen.add(place.image);
    const image = crash.images[place.image];
    if (image?.debugId == null) continue;
    const symbols = await source.native(imageKeys(image.debugId), image.arch);
    if (symbols !== null) tables.set(place.image, symbols.table);
    if (symbols?.table.hasDebugInfo) continue;
    missing(image.debugId.toLowerCase(), image.type === 'elf' ? 'android_ndk' : 'ios_dsym');
  }
  return tables;
}
