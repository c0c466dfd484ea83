import { SymbolFileError } from '../symbol-file-error.js';
import type { ByteSource } from './byte-source.js';

export interface DirectoryEntry {
  name: string;
  method: number;
  encrypted: boolean;
  symbolicLink: boolean;
  crc: number;
  compressedSize: number;
  size: number;
  headerOffset: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const MAX_ENTRIES = 10_000;
const MAX_DIRECTORY = 16 * 1024 * 1024;
const SYMLINK_MODE = 0o12;

/** Reads the central directory of a zip archive (PKWARE APPNOTE 4.3, with zip64). */
export function readDirectory(source: ByteSource): DirectoryEntry[] {
  const { entries, size, offset } = findEnd(source);
  if (entries > MAX_ENTRIES) unsafe(`The archive has ${entries} entries; the maximum is ${MAX_ENTRIES}.`);
  if (size > MAX_DIRECTORY || offset + size > source.size)
    unsafe('The central directory does not fit into the archive.');
  const directory = source.read(offset, size);
  const result: DirectoryEntry[] = [];
  let at = 0;
  while (result.length < entries) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== CENTRAL)
      unsafe('The central directory is cut off.');
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const end = at + 46 + nameLength + extraLength + directory.readUInt16LE(at + 32);
    if (end > directory.length) unsafe('The central directory is cut off.');
    result.push(readEntry(directory, at, nameLength, extraLength));
    at = end;
  }
  return result;
}

function readEntry(directory: Buffer, at: number, nameLength: number, extraLength: number): DirectoryEntry {
  const nameAt = at + 46;
  const entry: DirectoryEntry = {
    name: directory.toString('utf8', nameAt, nameAt + nameLength),
    method: directory.readUInt16LE(at + 10),
    encrypted: (directory.readUInt16LE(at + 8) & 1) !== 0,
    symbolicLink: directory.readUInt16LE(at + 40) >>> 12 === SYMLINK_MODE,
    crc: directory.readUInt32LE(at + 16),
    compressedSize: directory.readUInt32LE(at + 20),
    size: directory.readUInt32LE(at + 24),
    headerOffset: directory.readUInt32LE(at + 42),
  };
  const extraAt = nameAt + nameLength;
  applyZip64(entry, directory.subarray(extraAt, extraAt + extraLength));
  return entry;
}

/** Four-byte sizes that are all ones are stored in the zip64 extra field, in this order. */
function applyZip64(entry: DirectoryEntry, extra: Buffer): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    let position = 0;
    for (const key of ['size', 'compressedSize', 'headerOffset'] as const) {
      if (entry[key] !== 0xffff_ffff) continue;
      if (position + 8 > field.length) unsafe('A zip64 field is truncated.');
      entry[key] = Number(field.readBigUInt64LE(position));
      position += 8;
    }
    return;
  }
}

function findEnd(source: ByteSource): { entries: number; size: number; offset: number } {
  const length = Math.min(source.size, END_LENGTH + MAX_COMMENT);
  const tail = source.read(source.size - length, length);
  for (let at = tail.length - END_LENGTH; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue;
    const end = {
      entries: tail.readUInt16LE(at + 10),
      size: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    };
    if (end.entries !== 0xffff && end.size !== 0xffff_ffff && end.offset !== 0xffff_ffff) return end;
    return findEnd64(source, source.size - length + at) ?? end;
  }
  throw new SymbolFileError('not_recognized', 'The file is not a zip archive.');
}

function findEnd64(source: ByteSource, endAt: number): { entries: number; size: number; offset: number } | null {
  if (endAt < 20) return null;
  const locator = source.read(endAt - 20, 20);
  if (locator.readUInt32LE(0) !== LOCATOR_64) return null;
  const at = Number(locator.readBigUInt64LE(8));
  const end = at + 56 <= source.size ? source.read(at, 56) : Buffer.alloc(0);
  if (end.length < 56 || end.readUInt32LE(0) !== END_64) unsafe('The zip64 end record is not where it should be.');
  return {
    entries: Number(end.readBigUInt64LE(32)),
    size: Number(end.readBigUInt64LE(40)),
    offset: Number(end.readBigUInt64LE(48)),
  };
}

function unsafe(reason: string): never {
  throw new SymbolFileError('unsafe_archive', reason);
}
