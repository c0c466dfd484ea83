import { SymbolFileError } from '../symbol-file-error.js';
import { assembleEntries, EntryList } from '../table/assemble-entries.js';
import { TableBuilder } from '../table/table-builder.js';
import { writeTable } from '../table/table-writer.js';
import { codeSpanOf } from './code-span.js';
import { type ConversionSink, silentSink } from './conversion-sink.js';
import { packagedUnitIds } from './dwarf/split/joined-packages.js';
import { UnitConverter } from './dwarf/unit-converter.js';
import type { ObjectImage } from './object-image.js';
import { objectReaders } from './read-objects.js';
import { fillWithSymbols } from './symbol-gaps.js';

export interface ConvertedImage {
  /** Mach-O: uppercase UUID with dashes. ELF: build id in lowercase hex. Null when the file has none. */
  readonly debugId: string | null;
  readonly arch: string;
  readonly kind: 'macho' | 'elf';
  /** False when only symbol names were found (a stripped library). */
  readonly hasDebugInfo: boolean;
  /** Units whose split debug information is missing; null when there are none. */
  readonly missingSplits: MissingSplits | null;
  readonly separateDebugInfo: string | null;
  readonly table: Uint8Array;
}

/** Split units (`-gsplit-dwarf`) that a file refers to: their ids in a package, and the files they were written to. */
export interface MissingSplits {
  readonly ids: readonly string[];
  readonly files: readonly string[];
}

/**
 * Converts an ELF, Mach-O or universal file (Flutter's `.symbols` files are ELF) into one table per architecture.
 * Unreadable parts are left out and reported to `sink`. Of `packages`, those with the file's split units are used; for
 * a unit in several, the first. `packedSize`: the file's compressed size in the upload, if an archive compressed it.
 * Throws `SymbolFileError` when the whole file is refused, or has neither debug information nor symbol names. Call it
 * in a worker thread: it computes for about a second per 60 MB.
 */
export function convertNative(
  buffer: Uint8Array,
  sink: ConversionSink = silentSink,
  packages: readonly ObjectImage[] = [],
  packedSize = buffer.length,
): { images: ConvertedImage[] } {
  const images: ConvertedImage[] = [];
  let firstFailure: SymbolFileError | null = null;
  const noticing: ConversionSink = {
    notice(notice) {
      firstFailure ??= new SymbolFileError(notice.code, `${notice.where}: ${notice.reason}`);
      sink.notice(notice);
    },
  };
  const readers = objectReaders(buffer, packedSize);
  for (const [index, read] of readers.entries()) {
    try {
      const converted = convertWithPackages(read(), readers.length, noticing, packages);
      if (converted) images.push(converted);
    } catch (error) {
      if (!(error instanceof SymbolFileError) || readers.length === 1) throw error;
      noticing.notice({ code: error.code, reason: error.reason, where: `architecture ${index + 1}` });
    }
  }
  if (images.length > 0) return { images };
  throw (
    firstFailure ?? new SymbolFileError('no_symbols', 'The file contains neither debug information nor symbol names.')
  );
}

function convertWithPackages(
  image: ObjectImage,
  architectures: number,
  sink: ConversionSink,
  packages: readonly ObjectImage[],
): ConvertedImage | null {
  if (image.section('debug_info').length === 0 && image.section('debug_info.dwo').length > 0) throw isOnlySplit(image);
  const alone = convertImage(image, architectures, sink, []);
  const missing = new Set(alone?.missingSplits?.ids);
  if (missing.size === 0) return alone;
  const fitting = packages.filter((candidate) => packagedUnitIds(candidate).some((id) => missing.has(id)));
  return fitting.length === 0 ? alone : convertImage(image, architectures, sink, fitting);
}

function isOnlySplit(image: ObjectImage): SymbolFileError {
  return new SymbolFileError(
    'no_symbols',
    image.section('debug_cu_index').length > 0
      ? 'This is a split debug information package, which has no addresses. Upload it in addition to its library or program.'
      : 'This is the split debug information of one object file (.dwo), which has no addresses. Package all .dwo files with llvm-dwp or dwp, and upload the package (.dwp) and the library or program itself.',
  );
}

function convertImage(
  image: ObjectImage,
  architectures: number,
  sink: ConversionSink,
  packages: readonly ObjectImage[],
): ConvertedImage | null {
  const packedSize = packages.reduce((sum, each) => sum + each.packedSize, image.packedSize);
  const builder = new TableBuilder(image.size, packedSize, architectures);
  const span = codeSpanOf(image);
  const converter = new UnitConverter(image, builder, span, sink, packages, packedSize);
  converter.run();
  const hasDebugInfo = builder.blockCount > 0;
  const missingSplits = missingSplitsOf(converter);
  if (!hasDebugInfo && image.symbols.length === 0) {
    if (missingSplits === null) return null;
    throw new SymbolFileError('no_symbols', splitReason(missingSplits));
  }
  const { symbols } = image;
  const fillGap = (low: number, high: number, gap: EntryList): void =>
    fillWithSymbols(low, high, gap, symbols, converter.functions, builder.locations, span);
  const list = new EntryList(fillGap, builder.entryCount);
  assembleEntries(builder, list);
  const { addresses, locations } = list.finish();
  const table = writeTable({
    origin: span.origin,
    imageBase: image.imageBase,
    hasDebugInfo,
    addresses,
    entries: locations,
    locations: builder.locations,
    names: converter.names(),
    strings: builder.strings.all,
  });
  const { debugId, arch, kind, separateDebugInfo } = image;
  return { debugId, arch, kind, hasDebugInfo, missingSplits, separateDebugInfo, table };
}

function missingSplitsOf({ missingSplits }: UnitConverter): MissingSplits | null {
  if (missingSplits.length === 0) return null;
  return {
    ids: missingSplits.map(({ splitId }) => splitId),
    files: [...new Set(missingSplits.map(({ splitName, name }) => splitName || name))],
  };
}

/** What is missing and what to do, shown to the uploader. */
export function splitReason({ files }: MissingSplits): string {
  const [first = ''] = files;
  const others = files.length > 1 ? ` and ${files.length - 1} more` : '';
  return `Its debug information is in separate files (${first}${others}). Package them with llvm-dwp or dwp and upload the package (.dwp) too.`;
}
