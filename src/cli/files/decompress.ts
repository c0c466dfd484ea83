import { createReadStream, createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { UsageError } from '../settings/settings.js';

const MOST_BYTES = 16_000_000_000;
const ENDING = /\.(?:gz|zst|zstd)$/i;

/** The name of a packed file without the ending of its packer. */
export const unpackedName = (path: string): string => basename(path).replace(ENDING, '');

/** Unpacks one file into a folder, and returns where it is. Throws UsageError when it cannot. */
export async function decompress(path: string, packer: 'gzip' | 'zstd', folder: string): Promise<string> {
  const target = join(folder, unpackedName(path));
  // Node has zstd since 22.15.
  const inflate = packer === 'gzip' ? zlib.createGunzip() : zlib.createZstdDecompress?.();
  if (inflate === undefined)
    throw new UsageError(`${path}: Node ${process.version} cannot unpack zstd; unpack it yourself.`);
  let bytes = 0;
  const capped = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new RangeError(`it unpacks to more than ${MOST_BYTES / 1e9} GB`);
      yield chunk;
    }
  };
  try {
    await pipeline(createReadStream(path), inflate, capped, createWriteStream(target, { mode: 0o600 }));
  } catch (error) {
    throw new UsageError(
      `${path} cannot be unpacked: ${(error as Error).message}; unpack it yourself and name the folder.`,
    );
  }
  return target;
}
