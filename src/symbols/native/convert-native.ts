import { SymbolFileError } from '../symbol-file-error.js';
import { assembleEntries, EntryList } from '../table/assemble-entries.js';
import { TableBuilder } from '../table/table-builder.js';
import { writeTable } from '../table/table-writer.js';
import { codeSpanOf } from './code-span.js';
import { type ConversionSink, silentSink } from './conversion-sink.js';
import { UnitConverter } from './dwarf/unit-converter.js';
import type { ObjectImage } from './object-image.js';
import { objectReaders } from './read-objects.js';
import { fillWithSymbols } from './symbol-gaps.js';

/** One architecture's converted symbols. */
export interface ConvertedImage {
  /** Mach-O: UUID in upper case with dashes. ELF: build id in lower-case hex. Null when the file has none. */
  readonly debugId: string | null;
  /** As in `ObjectImage`. */
  readonly arch: string;
  readonly kind: 'macho' | 'elf';
  /** False when only symbol names were found (a stripped library). */
  readonly hasDebugInfo: boolean;
  /** For `openTable`. */
  readonly table: Uint8Array;
}

/**
 * Converts an ELF, Mach-O or universal file (Flutter's `.symbols` files are ELF) into one table per architecture.
 * Parts that cannot be read are left out and reported to `sink`. Throws `SymbolFileError` when the file as a whole is
 * refused, or holds neither debug information nor symbol names. To be called in a worker thread: it computes for about
 * a second per 60 MB.
 */
export function convertNative(buffer: Uint8Array, sink: ConversionSink = silentSink): { images: ConvertedImage[] } {
  const images: ConvertedImage[] = [];
  let firstFailure: SymbolFileError | null = null;
  const heard: ConversionSink = {
    notice(notice) {
      firstFailure ??= new SymbolFileError(notice.code, `${notice.where}: ${notice.reason}`);
      sink.notice(notice);
    },
  };
  const readers = objectReaders(buffer);
  for (const [index, read] of readers.entries()) {
    try {
      const converted = convertImage(read(), heard);
      if (converted) images.push(converted);
    } catch (error) {
      if (!(error instanceof SymbolFileError) || readers.length === 1) throw error;
      heard.notice({ code: error.code, reason: error.reason, where: `architecture ${index + 1}` });
    }
  }
  if (images.length > 0) return { images };
  throw firstFailure ?? new SymbolFileError('no_symbols', 'The file holds neither debug information nor symbol names.');
}

function convertImage(image: ObjectImage, sink: ConversionSink): ConvertedImage | null {
  const builder = new TableBuilder(image.size);
  const span = codeSpanOf(image);
  const converter = new UnitConverter(image, builder, span, sink);
  converter.run();
  const hasDebugInfo = builder.blockCount > 0;
  if (!hasDebugInfo && image.symbols.length === 0) return null;
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
  return { debugId: image.debugId, arch: image.arch, kind: image.kind, hasDebugInfo, table };
}
