import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { runIdentification } from '../../../symbols/conversion/run-conversion.js';
import type { SymbolKind } from '../../../symbols/symbol-kinds.js';
import { withLocalCopy } from './local-copy.js';

/** Larger files are identified by the worker, which reads them anyway. */
const MAX_IDENTIFIED_BYTES = 32 * 1024 * 1024;

/**
 * Reads the ids inside a newly stored file, in a thread with limits, so that the upload's response can include them. Null if that takes too
 * long or the file is broken; the worker finds out later.
 */
export async function identifyFile(
  objects: ObjectStore,
  file: { storagePath: string; bytes: number; sha256: string; originalName: string },
  fields: { kind: SymbolKind; release: string },
): Promise<string | null> {
  if (file.bytes > MAX_IDENTIFIED_BYTES) return null;
  try {
    return await withLocalCopy(objects, file.storagePath, (path) =>
      runIdentification({
        kind: fields.kind,
        sha256: file.sha256,
        input: { path, originalName: file.originalName, release: fields.release, matchKey: '' },
      }),
    );
  } catch {
    return null;
  }
}
