import { type ByteSource, bufferSource, fileSource } from '../archive/byte-source.js';
import { isZip, listZip } from '../archive/zip.js';
import { readBreakpadModule } from '../breakpad/breakpad-file.js';
import { isNativeObject, readObjects } from '../native/read-objects.js';
import { SymbolFileError } from '../symbol-file-error.js';

/** A file that may hold native symbols. */
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

/** Calls back for the uploaded file or, for an archive, for each file in it, one at a time. */
export function eachNativeFile(path: string, originalName: string, visit: (file: NativeFile) => void): void {
  const source = fileSource(path);
  try {
    if (isZip(source.read(0, 4))) visitArchive(source, source.size, 0, visit);
    else visit({ name: originalName, packedSize: source.size, read: () => source.read(0, source.size) });
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
