import { crc32, deflateRawSync } from 'node:zlib';

/** A file to put into an archive. The claimed fields are false, for tests of hostile archives. */
export interface ZipMember {
  name: string;
  data: Buffer;
  claimedSize?: number;
  /** Points the entry at the header of the first one. */
  sharesFirst?: boolean;
  unixMode?: number;
}

/** Builds a zip archive. */
export function makeZip(members: ZipMember[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const compressed = deflateRawSync(member.data, { level: 9 });
    const size = member.claimedSize ?? member.data.length;
    const name = Buffer.from(member.name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(crc32(member.data), 14);
    local.writeUInt32LE(compressed.length, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc32(member.data), 16);
    entry.writeUInt32LE(compressed.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(((member.unixMode ?? 0o100644) << 16) >>> 0, 38);
    entry.writeUInt32LE(member.sharesFirst ? 0 : offset, 42);
    central.push(entry, name);
    parts.push(local, name, compressed);
    offset += local.length + name.length + compressed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}
