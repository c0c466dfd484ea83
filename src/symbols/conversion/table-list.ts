import { statSync } from 'node:fs';
import { SymbolFileError } from '../symbol-file-error.js';
import type { ConvertedTable } from './converted-file.js';

const FREE_BYTES = 64 * 1024 * 1024;
const BYTES_PER_UPLOADED = 8;

/** The tables of one upload. Together they may have eight times its bytes, several times what those of compilers' files have. */
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
      throw new SymbolFileError('too_complex', 'Its tables are larger than those of a file of its size can be.');
    this.all.push(table);
  }
}
