import { createReadStream, createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { UsageError } from '../settings/settings.js';

const MOST_BYTES = 16_000_000_000;
const ENDING = /\.(?:gz|zst|zstd)$/i;

/** The name of a compressed file without its compression extension. */
export const unpackedName = (path: string): string => basename(path).replace(ENDING, '');

/** Decompresses a file into a folder and returns its path. Throws UsageError when it cannot. */
export async function decompress(path: string, packer: 'gzip' | 'zstd', folder: string): Promise<string> {
  const target = join(folder, unpackedName(path));
  // Node has zstd since 22.15.
  const inflate = packer === 'gzip' ? zlib.createGunzip() : zlib.createZstdDecompress?.();
  if (inflate === undefined)
    throw new UsageError(
      `${path}: Node ${process.version} cannot decompress zstd. Upgrade to Node 22.15 or newer, or decompress it yourself.`,
    );
  let bytes = 0;
  const capped = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new RangeError(`it decompresses to more than ${MOST_BYTES / 1e9} GB`);
      yield chunk;
    }
  };
  try {
    await pipeline(createReadStream(path), inflate, capped, createWriteStream(target, { mode: 0o600 }));
  } catch (error) {
    throw new UsageError(
      `${path} cannot be decompressed: ${(error as Error).message}. Decompress it yourself and pass the folder.`,
    );
  }
  return target;
}
