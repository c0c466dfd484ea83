import { statSync } from 'node:fs';
import { SymbolFileError } from '../symbol-file-error.js';
import type { ConvertedTable } from './converted-file.js';
import type { LeftOut } from './native-files.js';

const FREE_BYTES = 64 * 1024 * 1024;
const BYTES_PER_UPLOADED = 8;

/**
 * The tables of one upload. Their total is capped at eight times its size, several times what compiler output needs.
 */
export class TableList {
  readonly all: ConvertedTable[] = [];
  private room: number;

  constructor(path: string) {
    this.room = FREE_BYTES + statSync(path).size * BYTES_PER_UPLOADED;
  }

  /** Throws `SymbolFileError('too_complex')`. */
  push(table: ConvertedTable): void {
    this.room -= table.table.byteLength;
    if (this.room < 0)
      throw new SymbolFileError('too_complex', 'Its tables are larger than a file of its size can need.');
    this.all.push(table);
  }

  /**
   * All tables; the first one says which files of an archive were left out. Without any, throws why the first of these
   * was, or else `SymbolFileError('no_symbols')` with `reason`.
   */
  finish(leftOut: readonly LeftOut[], reason: string): ConvertedTable[] {
    const [table] = this.all;
    const [first] = leftOut;
    if (table === undefined)
      throw first === undefined
        ? new SymbolFileError('no_symbols', reason)
        : new SymbolFileError(first.error.code, `${first.name}: ${first.error.reason}`);
    const others = leftOut.length > 1 ? ` and ${leftOut.length - 1} more` : '';
    if (first !== undefined)
      table.detailReason ??= `The archive contains ${first.name}${others}, which was left out: ${first.error.reason}`;
    return this.all;
  }
}
