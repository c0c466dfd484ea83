import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SymbolFile } from '../files/find-symbol-files.js';
import { hashFile } from '../files/hash-file.js';
import { zipFolder } from '../files/zip-folder.js';
import { inlineMap, marksOf } from '../inject/debug-id-text.js';

/** What became of a file. `usable` ones may know names only; `stored` ones the server has not read yet, `found` ones were not to be sent. */
export type FileStatus = 'usable' | 'stored' | 'skipped' | 'failed' | 'found';

export interface PreparedFile {
  readonly file: SymbolFile;
  /** The file itself, the zip of its folder, or the map extracted from a script. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The result, as `--json` prints it. */
export interface FileOutcome {
  path: string;
  kind: string | null;
  match_key: string | null;
  size_bytes: number | null;
  sha256: string | null;
  status: FileStatus;
  artifact_id: string | null;
  /** Why it failed or was skipped, or what it lacks. */
  reason: string | null;
  /** Bytes sent, retries included. */
  sent_bytes: number;
}

/** Zips a folder reproducibly or extracts a map from its script, then hashes it. Rethrows read errors. */
export async function prepareFile(file: SymbolFile, scratch: string): Promise<PreparedFile> {
  let { path } = file;
  if (file.form === 'folder') {
    path = join(await mkdtemp(join(scratch, 'folder-')), 'symbols.zip');
    await zipFolder(file.path, path);
  }
  if (file.form === 'script') {
    path = join(await mkdtemp(join(scratch, 'script-')), 'script.map');
    const { mapAddress } = marksOf(await readFile(file.path, 'utf8'));
    await writeFile(path, inlineMap(mapAddress) ?? '');
  }
  return { file, path, ...(await hashFile(path)) };
}

export function outcomeOf(
  one: PreparedFile | string,
  status: FileOutcome['status'],
  reason: string | null,
): FileOutcome {
  const rest = { status, artifact_id: null, reason, sent_bytes: 0 };
  if (typeof one === 'string')
    return { path: one, kind: null, match_key: null, size_bytes: null, sha256: null, ...rest };
  const { file, sizeBytes, sha256 } = one;
  return { path: file.shown, kind: file.kind, match_key: file.matchKey, size_bytes: sizeBytes, sha256, ...rest };
}
