import type { Transform } from 'node:stream';
import { constants, createGunzip, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { CHUNK, type Packing } from './hashed-files.js';

/** How the rows of a table lie in their file. */
export interface TablePacking extends Packing {
  /** What PostgreSQL calls the rows as they are once unpacked. */
  copyFormat: 'text' | 'binary';
}

/** By the format of the backup. */
export const TABLE_PACKINGS = {
  1: { copyFormat: 'text', unpack: () => createGunzip({ chunkSize: CHUNK }), hashes: 'content' },
  2: { copyFormat: 'binary', unpack: () => createZstdDecompress({ chunkSize: CHUNK }), hashes: 'file' },
} as const satisfies Record<number, TablePacking>;

/** Packs rows as the newest format has them. */
export function packRows(): Transform {
  const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };
  return createZstdCompress({ chunkSize: CHUNK, params });
}
