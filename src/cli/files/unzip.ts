import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { UsageError } from '../settings/settings.js';

const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LONGEST_COMMENT = 65_535;
const MOST_ENTRIES = 100_000;
const MOST_BYTES = 16_000_000_000;
const DEFLATED = 8;
/** This in a 32-bit field says that the true value is elsewhere, in the 64-bit extension. */
const ELSEWHERE = 0xffff_ffff;

interface Entry {
  name: string;
  method: number;
  isEncrypted: boolean;
  compressed: number;
  size: number;
  offset: number;
}

/** Unpacks an archive (APPNOTE.TXT of PKWARE, 4.3) below a folder. Throws UsageError for what it cannot read. */
export async function unzip(path: string, folder: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const entries = await entriesOf(file, path);
    if (entries.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES)
      throw new UsageError(
        `${path} unpacks to more than ${MOST_BYTES / 1e9} GB; unpack it yourself and name the folder.`,
      );
    for (const entry of entries) await extract(file, path, entry, folder);
  } finally {
    await file.close();
  }
}

async function entriesOf(file: FileHandle, path: string): Promise<Entry[]> {
  const broken = () =>
    new UsageError(`${path} is no archive that can be read; unpack it yourself and name the folder.`);
  const { size } = await file.stat();
  const tail = await piece(file, Math.max(0, size - LONGEST_COMMENT - 22), LONGEST_COMMENT + 22);
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw broken();
  const count = tail.readUInt16LE(end + 10);
  const start = tail.readUInt32LE(end + 16);
  if (start === ELSEWHERE || count > MOST_ENTRIES) throw broken();
  const directory = await piece(file, start, tail.readUInt32LE(end + 12));
  const entries: Entry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== CENTRAL) throw broken();
    const name = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + name),
      method: directory.readUInt16LE(at + 10),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      compressed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    });
    at += 46 + name + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  if (entries.some(({ compressed, offset, size: bytes }) => [compressed, offset, bytes].includes(ELSEWHERE)))
    throw broken();
  return entries;
}

async function extract(file: FileHandle, path: string, entry: Entry, folder: string): Promise<void> {
  const parts = entry.name.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  if (/[/\\]$/.test(entry.name) || parts.length === 0) return;
  if (parts.includes('..') || entry.isEncrypted || (entry.method !== 0 && entry.method !== DEFLATED))
    throw new UsageError(`${path}: ${entry.name} cannot be unpacked; unpack it yourself and name the folder.`);
  const target = join(folder, ...parts.map((part) => part.replace(/[\u0000:]/g, '_')));
  await mkdir(dirname(target), { recursive: true });
  const header = await piece(file, entry.offset, 30);
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const output = createWriteStream(target, { flags: 'w', mode: 0o600 });
  if (entry.compressed === 0) {
    output.end();
    return;
  }
  const source = file.createReadStream({ start, end: start + entry.compressed - 1, autoClose: false });
  const plain = entry.method === DEFLATED ? source.pipe(createInflateRaw()) : source;
  let bytes = 0;
  await pipeline(
    plain,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > entry.size) throw new UsageError(`${path}: ${entry.name} is larger than the archive says.`);
        yield chunk;
      }
    },
    output,
  );
}

async function piece(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, offset);
  return bytes.subarray(0, bytesRead);
}
