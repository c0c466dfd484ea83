import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { UsageError } from '../settings/settings.js';

const MOST_ENTRIES = 100_000;
const MOST_BYTES = 16_000_000_000;

/** Unpacks an archive into a folder. Throws UsageError when it cannot be read. */
export async function unzip(path: string, folder: string): Promise<void> {
  const zip = await legible(path, openPromise(path, { autoClose: false }));
  try {
    if (zip.entryCount > MOST_ENTRIES)
      throw new UsageError(
        `${path} has more than ${MOST_ENTRIES} entries. Unpack it yourself and pass the folder with the symbols.`,
      );
    const entries = await legible(path, entriesOf(zip));
    if (entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > MOST_BYTES)
      throw new UsageError(
        `${path} unpacks to more than ${MOST_BYTES / 1e9} GB. Unpack it yourself and pass the folder.`,
      );
    for (const entry of entries) await extract(zip, path, entry, folder);
  } finally {
    zip.close();
  }
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

/** Errors from the library mean a bad archive; errors from the system (a full disk) do not. */
async function legible<T>(path: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw error;
    const why = message.replace(/\.$/, '');
    throw new UsageError(`${path} is not a readable archive (${why}). Unpack it yourself and pass the folder.`);
  }
}

async function extract(zip: ZipFile, path: string, entry: Entry, folder: string): Promise<void> {
  if (entry.fileName.endsWith('/')) return;
  if (!entry.canDecodeFileData())
    throw new UsageError(`${path}: could not unpack ${entry.fileName}. Unpack it yourself and pass the folder.`);
  const target = join(folder, ...entry.fileName.split('/').map((part) => part.replace(/[\u0000:]/g, '_')));
  await mkdir(dirname(target), { recursive: true });
  const output = createWriteStream(target, { mode: 0o600 });
  let sum = 0;
  const summed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  };
  await legible(
    path,
    zip.openReadStreamPromise(entry).then((plain) => pipeline(plain, summed, output)),
  );
  if (sum !== entry.crc32)
    throw new UsageError(`${path}: ${entry.fileName} is damaged (checksum mismatch). Create the archive again.`);
}
