import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { SymbolFileError } from '../symbol-file-error.js';
import { SYMBOL_KINDS, type SymbolKind, type SymbolKindRow } from '../symbol-kinds.js';
import type { ConversionInput, ConvertedFile } from './converted-file.js';

export interface ConversionTask {
  /** `identify` only reads the ids. */
  goal: 'convert' | 'identify';
  kind: SymbolKind;
  /** The expected hex digest of the file. */
  sha256: string;
  input: ConversionInput;
}

/** The outcome of a task; `isReaders` if a reader refused the file, after which the thread can read others. */
export type ConversionOutcome =
  | { ok: true; file: ConvertedFile }
  | { ok: false; code: string; reason: string; isReaders: boolean };

const CHUNK = 4 * 1024 * 1024;

function run(task: ConversionTask): ConversionOutcome {
  try {
    if (hashOf(task.input.path) !== task.sha256)
      throw new SymbolFileError('hash_mismatch', 'The stored file differs from the uploaded one. Upload it again.');
    const kind: SymbolKindRow = SYMBOL_KINDS[task.kind];
    if (task.goal === 'convert') return { ok: true, file: kind.convert(task.input) };
    return { ok: true, file: { matchKey: kind.identify(task.input), tables: [] } };
  } catch (error) {
    if (error instanceof SymbolFileError) return { ok: false, code: error.code, reason: error.reason, isReaders: true };
    throw error;
  }
}

function hashOf(path: string): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK);
  const descriptor = openSync(path, 'r');
  try {
    for (let got = readSync(descriptor, buffer); got > 0; got = readSync(descriptor, buffer))
      hash.update(buffer.subarray(0, got));
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex');
}

parentPort?.on('message', (task: ConversionTask) => {
  const outcome = run(task);
  const tables = outcome.ok ? outcome.file.tables : [];
  for (const table of tables) table.table = ownBuffer(table.table);
  parentPort?.postMessage(
    outcome,
    tables.map(({ table }) => table.buffer as ArrayBuffer),
  );
});

/** Only an unshared buffer can be transferred; small ones share Node's pool. */
function ownBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
