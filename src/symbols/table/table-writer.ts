import type { LocationPool } from './location-pool.js';
import { FLAG_DEBUG_INFO, HEADER_BYTES, Header, LOCATION_STRIDE, TABLE_MAGIC, TABLE_VERSION } from './table-format.js';

/** The content of a table. `names` maps a location's function number to a string number. */
export interface TableContent {
  readonly origin: number;
  readonly imageBase: number;
  readonly hasDebugInfo: boolean;
  readonly addresses: Uint32Array;
  readonly entries: Uint32Array;
  readonly locations: LocationPool;
  readonly names: Uint32Array;
  readonly strings: readonly string[];
}

/** Writes a table in the layout of `table-format.ts`. */
export function writeTable(content: TableContent): Uint8Array {
  const { addresses, entries, locations, names, strings } = content;
  const count = locations.count;
  const ends = new Uint32Array(strings.length);
  let textBytes = 0;
  for (let index = 0; index < strings.length; index++) {
    textBytes += Buffer.byteLength(strings[index] as string);
    ends[index] = textBytes;
  }
  const locationBytes = count * LOCATION_STRIDE * 4;
  const size = HEADER_BYTES + addresses.length * 8 + locationBytes + strings.length * 4 + textBytes;
  const table = Buffer.alloc(size);
  table.writeUInt32LE(TABLE_MAGIC, Header.magic);
  table.writeUInt32LE(TABLE_VERSION, Header.version);
  table.writeUInt32LE(addresses.length, Header.entries);
  table.writeUInt32LE(count, Header.locations);
  table.writeUInt32LE(strings.length, Header.strings);
  table.writeUInt32LE(textBytes, Header.textBytes);
  table.writeUInt32LE(content.hasDebugInfo ? FLAG_DEBUG_INFO : 0, Header.flags);
  table.writeDoubleLE(content.origin, Header.origin);
  table.writeDoubleLE(content.imageBase, Header.imageBase);

  const fields = locations.fields.slice(0, count * LOCATION_STRIDE);
  for (let at = 0; at < fields.length; at += LOCATION_STRIDE) fields[at] = names[fields[at] as number] as number;
  let at = HEADER_BYTES;
  for (const part of [addresses, entries, fields, ends]) {
    table.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  for (const text of strings) at += table.write(text, at);
  return table;
}
