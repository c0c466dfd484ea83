import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../objects/durable-files.js';
import type { Progress } from './progress.js';

/** The library's default chunks of 16 and 64 KiB need a round trip to a thread for every few rows. */
export const CHUNK = 256 * 1024;

export interface Written {
  bytes: number;
  sha256: string;
}

/** How a file is decompressed, and whether its hash covers the file itself or its content. */
export interface Packing {
  unpack(): Transform;
  hashes: 'file' | 'content';
}

/**
 * Writes a source, compressed by `pack` if given, to a new file (mode 0600) and syncs it. Throws when the file exists.
 * The source is opened where all its errors are handled.
 */
export async function writeHashed(
  path: string,
  open: () => Promise<Readable> | Readable,
  progress: Progress,
  pack?: Transform,
): Promise<Written> {
  const hash = createHash('sha256');
  let bytes = 0;
  const written = new Tap((chunk) => {
    hash.update(chunk);
    bytes += chunk.byteLength;
  });
  await makeFolder(dirname(path));
  await pipeline(
    [
      await open(),
      new Tap((chunk) => progress.moved(chunk.byteLength)),
      ...(pack ? [pack] : []),
      written,
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    ],
    { signal: progress.signal },
  );
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Reads the content of a file from `writeHashed`. Throws a readable error when it is missing or unreadable, and at the
 * end when its hash differs.
 */
export async function* readHashed(
  path: string,
  sha256: string,
  progress: Progress,
  packing?: Packing,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let isWhole = false;
  const check = new Tap(
    (chunk) => hash.update(chunk),
    () => {
      isWhole = hash.digest('hex') === sha256;
    },
  );
  const stages = packing ? [packing.unpack()] : [];
  if (packing?.hashes === 'content') stages.push(check);
  else stages.unshift(check);
  const content = stages.at(-1) as Transform;
  const file = createReadStream(path, { highWaterMark: CHUNK, signal: progress.signal });
  // Readers of the content get its errors.
  pipeline([file, ...stages]).catch(() => {});
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      progress.moved(chunk.byteLength);
      yield chunk;
    }
  } catch (error) {
    throw progress.signal.aborted ? error : new Error(`${path} ${unreadable(error as NodeJS.ErrnoException)}`);
  } finally {
    file.destroy();
  }
  if (isWhole) return;
  // Decompression stops at the end of the compressed data even if bytes follow: damage, or the empty frame that Node's
  // compressor adds when its source ends before the last chunk. The file's hash tells which.
  if (packing?.hashes === 'file') for await (const _ of readHashed(path, sha256, progress));
  else throw new Error(`${path} is damaged: its SHA-256 differs from the recorded one`);
}

/** A readable reason. Connections refused at several addresses produce one error without a message. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}

/** Observes bytes and passes them on. */
class Tap extends Transform {
  constructor(
    private readonly see: (chunk: Buffer) => void,
    private readonly atEnd?: () => void,
  ) {
    super({ readableHighWaterMark: CHUNK, writableHighWaterMark: CHUNK });
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.see(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.atEnd?.();
    done();
  }
}

function unreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'is missing';
  return code && /^Z(?:STD)?_/.test(code) ? `is damaged: ${message}` : `cannot be read: ${message}`;
}
