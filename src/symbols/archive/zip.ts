import { crc32, inflateRawSync } from 'node:zlib';
import { SymbolFileError } from '../symbol-file-error.js';
import type { ByteSource } from './byte-source.js';
import { type DirectoryEntry, readDirectory } from './zip-directory.js';

/** A file in an archive. Its name is only a label: no file is ever written under it. */
export interface ZipFile {
  name: string;
  size: number;
  /** Its size in the archive; in a nested archive, at most that archive's size in the outer one. */
  packedSize: number;
  /** Inflates the file and checks it against its size and checksum. */
  read(): Buffer;
}

const LOCAL = 0x04034b50;
const LOCAL_LENGTH = 30;
const STORED = 0;
const DEFLATED = 8;

/** Debug information compresses to about a fifth. Small archives may inflate to this size at any ratio. */
const FREE_INFLATED_BYTES = 32 * 1024 * 1024;
const MAX_RATIO = 12;
const MAX_INFLATED_BYTES = 2 * 1024 * 1024 * 1024 - 1;

export function isZip(head: Buffer): boolean {
  return head.length >= 4 && head[0] === 0x50 && head[1] === 0x4b && (head[2] ?? 255) <= 7 && (head[3] ?? 255) <= 8;
}

/**
 * Lists the files of a zip archive that may hold symbols, without folders, links and macOS metadata (`__MACOSX/`,
 * `._*`, `.DS_Store`). `packedSize`: the archive's size within an outer one.
 *
 * @throws SymbolFileError `unsafe_archive` for names that leave the archive, entries that overlap, repeat a name or
 *   inflate to far more than symbols do; `not_recognized` when the file is not an archive
 */
export function listZip(source: ByteSource, packedSize = source.size): ZipFile[] {
  const directory = readDirectory(source);
  refuseHostileNames(directory);
  refuseOverlaps(directory, source.size);
  const files = directory.filter(
    (entry) => !entry.name.endsWith('/') && !entry.symbolicLink && !isMacNoise(entry.name),
  );
  const inflated = files.reduce((sum, entry) => sum + entry.size, 0);
  refuseInflation(inflated, packedSize, 'The archive');
  return files.map((entry) => ({
    name: entry.name,
    size: entry.size,
    packedSize: Math.min(entry.compressedSize, packedSize),
    read: () => readFile(source, entry),
  }));
}

function readFile(source: ByteSource, entry: DirectoryEntry): Buffer {
  const { name } = entry;
  if (entry.encrypted) unsafe(`"${label(name)}" is encrypted.`);
  refuseInflation(entry.size, entry.compressedSize, `"${label(name)}"`);
  const header = source.read(entry.headerOffset, LOCAL_LENGTH);
  if (header.length < LOCAL_LENGTH || header.readUInt32LE(0) !== LOCAL) unsafe(`"${label(name)}" has no local header.`);
  const start = entry.headerOffset + LOCAL_LENGTH + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + entry.compressedSize > source.size) unsafe(`"${label(name)}" extends past the end of the archive.`);
  const compressed = source.read(start, entry.compressedSize);
  const data = inflate(entry, compressed);
  if (data.length !== entry.size || crc32(data) !== entry.crc)
    unsafe(`The local header of "${label(name)}" contradicts the archive's directory.`);
  return data;
}

function inflate(entry: DirectoryEntry, compressed: Buffer): Buffer {
  if (entry.method === STORED) return compressed;
  if (entry.method !== DEFLATED)
    throw new SymbolFileError(
      'unsupported',
      `"${label(entry.name)}" uses compression method ${entry.method}; use deflate.`,
    );
  try {
    return inflateRawSync(compressed, { maxOutputLength: Math.max(1, entry.size) });
  } catch {
    return unsafe(`"${label(entry.name)}" does not inflate to the size in the archive's directory.`);
  }
}

function refuseHostileNames(directory: DirectoryEntry[]): void {
  const seen = new Set<string>();
  for (const { name } of directory) {
    const parts = name.split(/[/\\]/);
    if (name.includes('\0') || parts.includes('..') || /^(?:[/\\]|[a-z]:)/i.test(name))
      unsafe(`The name "${label(name)}" points outside the archive.`);
    if (seen.has(name)) unsafe(`The name "${label(name)}" occurs twice.`);
    seen.add(name);
  }
}

/** By sharing bytes between entries, a small archive could inflate without bound. */
function refuseOverlaps(directory: DirectoryEntry[], size: number): void {
  const ordered = [...directory].sort((a, b) => a.headerOffset - b.headerOffset);
  let end = 0;
  for (const entry of ordered) {
    if (entry.headerOffset < end) unsafe(`"${label(entry.name)}" overlaps another entry.`);
    end = entry.headerOffset + LOCAL_LENGTH + entry.compressedSize;
    if (end > size) unsafe(`"${label(entry.name)}" extends past the end of the archive.`);
  }
}

function refuseInflation(inflated: number, compressed: number, what: string): void {
  if (inflated <= FREE_INFLATED_BYTES) return;
  if (inflated > MAX_INFLATED_BYTES || inflated > compressed * MAX_RATIO)
    unsafe(`${what} would inflate to ${inflated} bytes, which is too much for its size.`);
}

function isMacNoise(name: string): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return name.split('/').includes('__MACOSX') || base.startsWith('._') || base === '.DS_Store';
}

const label = (name: string): string => name.replace(/[^\x20-\x7e]/g, '?').slice(0, 120);

function unsafe(reason: string): never {
  throw new SymbolFileError('unsafe_archive', reason);
}
