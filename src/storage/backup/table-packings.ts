import type { Transform } from 'node:stream';
import { constants, createGunzip, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { CHUNK, type Packing } from './hashed-files.js';

export interface TablePacking extends Packing {
  /** PostgreSQL's COPY format of the decompressed rows. */
  copyFormat: 'text' | 'binary';
}

export const TABLE_PACKINGS = {
  1: { copyFormat: 'text', unpack: () => createGunzip({ chunkSize: CHUNK }), hashes: 'content' },
  2: { copyFormat: 'binary', unpack: () => createZstdDecompress({ chunkSize: CHUNK }), hashes: 'file' },
} as const satisfies Record<number, TablePacking>;

/** Compresses rows in the newest format. */
export function packRows(): Transform {
  const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };
  return createZstdCompress({ chunkSize: CHUNK, params });
}
