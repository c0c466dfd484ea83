import { inflateSync, zstdDecompressSync } from 'node:zlib';
import { SymbolFileError } from '../symbol-file-error.js';
import { ByteReader } from './byte-reader.js';

const ELFCOMPRESS_ZLIB = 1;
const ELFCOMPRESS_ZSTD = 2;
const LARGEST_EXPANSION = 12;
const SMALLEST_ALLOWANCE = 32 * 1024 * 1024;

/**
 * Decompresses the debug sections of one file. Together they may grow to twelve times the file's size (compilers' debug
 * sections compress to a third or a quarter), so that a small file cannot claim gigabytes. A file in an archive counts
 * with its compressed size.
 */
export class SectionInflater {
  private allowance: number;

  constructor(fileBytes: number) {
    this.allowance = Math.max(SMALLEST_ALLOWANCE, fileBytes * LARGEST_EXPANSION);
  }

  /** A section with SHF_COMPRESSED: an Elf32_Chdr or Elf64_Chdr, then zlib or zstd data. */
  compressedSection(bytes: Uint8Array, is64: boolean): Uint8Array {
    const reader = new ByteReader(bytes);
    const type = reader.u32();
    if (is64) reader.skip(4);
    const size = is64 ? reader.u64() : reader.u32();
    reader.skip(is64 ? 8 : 4);
    const body = reader.view(reader.remaining);
    if (type === ELFCOMPRESS_ZLIB) return this.inflate(body, size, inflateSync);
    if (type === ELFCOMPRESS_ZSTD) return this.inflate(body, size, zstdDecompressSync);
    throw new SymbolFileError(
      'unsupported',
      `A section uses compression method ${type}; only zlib and zstd are supported.`,
    );
  }

  /** The older GNU form of `.zdebug_*`: "ZLIB", the size as a big-endian 64-bit number, zlib data. */
  zdebugSection(bytes: Uint8Array): Uint8Array {
    if (bytes.length < 12 || Buffer.from(bytes.buffer, bytes.byteOffset, 4).toString('latin1') !== 'ZLIB')
      throw new SymbolFileError('malformed', 'A .zdebug section does not start with its ZLIB header.');
    const header = new DataView(bytes.buffer, bytes.byteOffset, 12);
    return this.inflate(bytes.subarray(12), header.getUint32(4) * 4294967296 + header.getUint32(8), inflateSync);
  }

  private inflate(
    body: Uint8Array,
    size: number,
    decompress: (data: Uint8Array, options: { maxOutputLength: number }) => Uint8Array,
  ): Uint8Array {
    if (size > this.allowance)
      throw new SymbolFileError(
        'too_large',
        `A compressed section declares ${size} bytes, more than this file may contain.`,
      );
    if (size === 0) return new Uint8Array(0);
    this.allowance -= size;
    let plain: Uint8Array;
    try {
      plain = decompress(body, { maxOutputLength: size });
    } catch {
      throw new SymbolFileError('malformed', 'A compressed section cannot be decompressed to its declared size.');
    }
    if (plain.length !== size)
      throw new SymbolFileError('malformed', 'The size of a compressed section differs from its declared size.');
    return plain;
  }
}
