import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough, type Readable, Transform, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** What was written to a file: bytes before compression and their SHA-256. */
export interface Written {
  bytes: number;
  sha256: string;
}

/** Writes a new file (mode 0600) through `fill`, compressed when `gzip`, and syncs it. Throws when the file is there already. */
export async function writeHashed(
  path: string,
  gzip: boolean,
  fill: (sink: Writable) => Promise<void>,
): Promise<Written> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      done(null, chunk);
    },
  });
  const writing = pipeline(
    measure,
    gzip ? createGzip({ level: 1 }) : new PassThrough(),
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  );
  writing.catch(() => {});
  const filling = fill(measure).then(
    () => measure.end(),
    (error: Error) => measure.destroy(error),
  );
  await Promise.all([writing, filling]);
  await syncFile(path);
  return { bytes, sha256: hash.digest('hex') };
}

/** Copies a stream into a sink without ending it. */
export async function pour(source: AsyncIterable<Uint8Array>, sink: Writable): Promise<void> {
  for await (const chunk of source) {
    if (!sink.write(chunk)) await Promise.race([once(sink, 'drain'), finished(sink)]);
  }
}

/** Reads a file that `writeHashed` wrote; throws at its end when the content is not the one that was hashed. */
export async function* readHashed(path: string, gzip: boolean, sha256: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const source: Readable = gzip ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => source.destroy(error));
  const hash = createHash('sha256');
  for await (const chunk of source as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw new Error(`${path} is damaged: its SHA-256 is not the recorded one`);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
