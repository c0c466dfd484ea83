import { open } from 'node:fs/promises';

const ELF = 0x7f454c46;
const MACHO_64 = 0xcffaedfe;
const MACHO_32 = 0xcefaedfe;
const FAT = 0xcafebabe;
const LC_UUID = 0x1b;
const NOTE_OWNER = Buffer.from('GNU\0');
const READ_BYTES = 64 * 1024 * 1024;

/** The ids by which crash events will name a binary: LC_UUIDs of a Mach-O file, the build id of an ELF file. */
export async function imageIds(path: string): Promise<string[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, READ_BYTES));
    await file.read(bytes, 0, bytes.length, 0);
    if (bytes.length < 32) return [];
    const magic = bytes.readUInt32BE(0);
    if (magic === ELF) return elfBuildId(bytes);
    if (magic === MACHO_64 || magic === MACHO_32) return machoUuid(bytes, 0);
    return magic === FAT ? fatUuids(bytes) : [];
  } finally {
    await file.close();
  }
}

function fatUuids(bytes: Buffer): string[] {
  const count = Math.min(bytes.readUInt32BE(4), 32);
  const ids: string[] = [];
  for (let index = 0; index < count && 8 + index * 20 + 12 <= bytes.length; index++) {
    ids.push(...machoUuid(bytes, bytes.readUInt32BE(8 + index * 20 + 8)));
  }
  return ids;
}

function machoUuid(bytes: Buffer, start: number): string[] {
  if (start + 32 > bytes.length) return [];
  const commands = Math.min(bytes.readUInt32LE(start + 16), 10_000);
  let at = start + (bytes.readUInt32BE(start) === MACHO_64 ? 32 : 28);
  for (let index = 0; index < commands && at + 24 <= bytes.length; index++) {
    const size = bytes.readUInt32LE(at + 4);
    if (bytes.readUInt32LE(at) === LC_UUID) {
      const hex = bytes.toString('hex', at + 8, at + 24);
      return [hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')];
    }
    if (size < 8) return [];
    at += size;
  }
  return [];
}

/** A build id note is its owner's length 4, the id's length, type 3, "GNU" and the id. */
function elfBuildId(bytes: Buffer): string[] {
  for (let at = bytes.indexOf(NOTE_OWNER); at >= 12; at = bytes.indexOf(NOTE_OWNER, at + 1)) {
    const length = bytes.readUInt32LE(at - 8);
    const isBuildId = bytes.readUInt32LE(at - 12) === 4 && bytes.readUInt32LE(at - 4) === 3;
    if (isBuildId && length >= 4 && length <= 64) return [bytes.toString('hex', at + 4, at + 4 + length)];
  }
  return [];
}
