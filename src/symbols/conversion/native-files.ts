import { type ByteSource, bufferSource, fileSource } from '../archive/byte-source.js';
import { isZip, listZip } from '../archive/zip.js';
import { readBreakpadModule } from '../breakpad/breakpad-file.js';
import { isNativeObject, readObjects } from '../native/read-objects.js';
import { type SymbolFileCode, SymbolFileError } from '../symbol-file-error.js';

export interface NativeFile {
  name: string;
  /** Its size in the upload, smaller than its own size when an archive compressed it. */
  packedSize: number;
  read(): Buffer;
}

/** Reads the debug ids in a file or archive without converting it. */
export function debugIdsIn(path: string, originalName: string): string[] {
  const ids = new Set<string>();
  eachNativeFile(path, originalName, (file) => {
    const bytes = file.read();
    const breakpad = readBreakpadModule(bytes);
    if (breakpad !== null) ids.add(breakpad.id);
    if (!isNativeObject(bytes)) return;
    for (const { debugId } of readObjects(bytes, file.packedSize)) if (debugId !== null) ids.add(debugId);
  });
  return [...ids];
}

/** Nested archives: some build systems produce a `dSYMs.zip` of zips. */
const MAX_NESTED_ARCHIVES = 1;

export interface LeftOut {
  readonly name: string;
  readonly error: SymbolFileError;
}

/** Failures that concern one file; the others mean that the upload is hostile or too large. */
const OF_ONE_FILE: readonly SymbolFileCode[] = [
  'not_recognized',
  'truncated',
  'malformed',
  'unsupported',
  'no_symbols',
];

/**
 * Calls back for the uploaded file or, for an archive, for each file in it, one at a time. In an archive a file for
 * which that fails does not affect the others; returns these.
 */
export function eachNativeFile(path: string, originalName: string, visit: (file: NativeFile) => void): LeftOut[] {
  const source = fileSource(path);
  const leftOut: LeftOut[] = [];
  const guarded = (file: NativeFile): void => {
    try {
      visit(file);
    } catch (error) {
      if (!(error instanceof SymbolFileError) || !OF_ONE_FILE.includes(error.code)) throw error;
      leftOut.push({ name: file.name, error });
    }
  };
  try {
    if (isZip(source.read(0, 4))) visitArchive(source, source.size, 0, guarded);
    else visit({ name: originalName, packedSize: source.size, read: () => source.read(0, source.size) });
    return leftOut;
  } finally {
    source.close();
  }
}

function visitArchive(source: ByteSource, packedSize: number, depth: number, visit: (file: NativeFile) => void): void {
  const files = listZip(source, packedSize);
  if (files.length === 0) throw new SymbolFileError('empty_archive', 'The archive contains no files.');
  for (const file of files) {
    if (depth < MAX_NESTED_ARCHIVES && /\.zip$/i.test(file.name)) {
      visitArchive(bufferSource(file.read()), file.packedSize, depth + 1, visit);
    } else {
      visit(file);
    }
  }
}
