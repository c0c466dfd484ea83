import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { crc32, createDeflateRaw } from 'node:zlib';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const MOST = 0xffff_ffff;

interface Entry {
  name: Buffer;
  crc: number;
  compressed: number;
  size: number;
  offset: number;
}

/**
 * Writes a folder as a zip archive, with the folder's own name in front; one file is in flight at a time. A zip is little more than two
 * lists of headers around what Node's zlib deflates, natively and off the event loop; a library (fflate, yazl) would be the first
 * dependency of the command.
 */
export async function zipFolder(folder: string, target: string): Promise<void> {
  const file = await open(target, 'wx', 0o600);
  try {
    const entries: Entry[] = [];
    let offset = 0;
    for (const path of await filesBelow(folder)) {
      const name = Buffer.from(join(basename(folder), relative(folder, path)).replaceAll('\\', '/'));
      const entry = await writeFile(file, path, name, offset);
      entries.push(entry);
      offset += 30 + name.length + entry.compressed;
      if (offset > MOST || entry.size > MOST) throw new RangeError(`${folder} is too large for a zip archive.`);
    }
    await writeDirectory(file, entries, offset);
  } finally {
    await file.close();
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The sizes are known only afterwards, so the header is written last. */
async function writeFile(file: FileHandle, path: string, name: Buffer, offset: number): Promise<Entry> {
  let position = offset + 30 + name.length;
  const start = position;
  let crc = 0;
  let size = 0;
  const source = createReadStream(path);
  source.on('data', (chunk) => {
    crc = crc32(chunk as Buffer, crc);
    size += chunk.length;
  });
  for await (const chunk of source.pipe(createDeflateRaw({ level: 6 })) as AsyncIterable<Buffer>) {
    await file.write(chunk, 0, chunk.length, position);
    position += chunk.length;
  }
  const entry = { name, crc, compressed: position - start, size, offset };
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL, 0);
  writeCommon(header, 4, entry);
  await file.write(Buffer.concat([header, name]), 0, 30 + name.length, offset);
  return entry;
}

async function writeDirectory(file: FileHandle, entries: Entry[], offset: number): Promise<void> {
  const parts = entries.map((entry) => {
    const header = Buffer.alloc(46);
    header.writeUInt32LE(CENTRAL, 0);
    header.writeUInt16LE(20, 4);
    writeCommon(header, 6, entry);
    header.writeUInt32LE(entry.offset, 42);
    return Buffer.concat([header, entry.name]);
  });
  const directory = Buffer.concat(parts);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  await file.write(Buffer.concat([directory, end]), 0, directory.length + 22, offset);
}

/** The fields that the local header and the central one have alike, from "version needed" on. */
function writeCommon(header: Buffer, at: number, entry: Entry): void {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(UTF8_NAMES, at + 2);
  header.writeUInt16LE(DEFLATED, at + 4);
  header.writeUInt16LE(0x21, at + 8);
  header.writeUInt32LE(entry.crc, at + 10);
  header.writeUInt32LE(entry.compressed, at + 14);
  header.writeUInt32LE(entry.size, at + 18);
  header.writeUInt16LE(entry.name.length, at + 22);
}
