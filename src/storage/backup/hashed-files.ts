import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Progress } from './progress.js';

/** zlib's own 16 KiB make a round trip to its thread of every few rows. */
const CHUNK = 256 * 1024;

/** What was written to a file: bytes before compression, their SHA-256, and that of the file. */
export interface Written {
  bytes: number;
  sha256: string;
  packedSha256: string;
}

/** Writes a source to a new file (mode 0600), compressed when `gzip`, and syncs it. Throws when the file is there already. */
export async function writeHashed(path: string, gzip: boolean, source: Readable, progress: Progress): Promise<Written> {
  const content = new Measure((bytes) => progress.moved(bytes));
  const packed = new Measure();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(
    source,
    content,
    ...(gzip ? [createGzip({ level: 1, chunkSize: CHUNK }), packed] : []),
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    { signal: progress.signal },
  );
  const sha256 = content.digest();
  return { bytes: content.bytes, sha256, packedSha256: gzip ? packed.digest() : sha256 };
}

/** Passes bytes on, and knows their hash in the end. */
class Measure extends Transform {
  bytes = 0;
  private readonly hash = createHash('sha256');

  constructor(private readonly moved?: (bytes: number) => void) {
    super({ readableHighWaterMark: CHUNK, writableHighWaterMark: CHUNK });
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.hash.update(chunk);
    this.bytes += chunk.byteLength;
    this.moved?.(chunk.byteLength);
    done(null, chunk);
  }

  digest(): string {
    return this.hash.digest('hex');
  }
}

/**
 * Reads a file that `writeHashed` wrote. Throws in words for the operator when it is missing or cannot be read, and at its end when
 * the content is not the one that was hashed.
 */
export async function* readHashed(
  path: string,
  gzip: boolean,
  sha256: string,
  progress: Progress,
): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK, signal: progress.signal });
  const source: Readable = gzip ? file.pipe(createGunzip({ chunkSize: CHUNK })) : file;
  file.on('error', (error) => source.destroy(error));
  const hash = createHash('sha256');
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      hash.update(chunk);
      progress.moved(chunk.byteLength);
      yield chunk;
    }
  } catch (error) {
    throw progress.signal.aborted ? error : new Error(`${path} ${reasonOf(error as NodeJS.ErrnoException)}`);
  } finally {
    file.destroy();
  }
  if (hash.digest('hex') !== sha256) throw new Error(`${path} is damaged: its SHA-256 is not the recorded one`);
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'is missing';
  return code?.startsWith('Z_') ? `is damaged: ${message}` : `cannot be read: ${message}`;
}
