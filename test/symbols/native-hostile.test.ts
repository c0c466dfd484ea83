import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertNativeLibrary } from '../../src/symbols/conversion/convert-native-library.js';
import { convertNative } from '../../src/symbols/native/convert-native.js';
import type { SymbolFileError } from '../../src/symbols/symbol-file-error.js';
import { openTable } from '../../src/symbols/table/open-table.js';
import { numbers } from '../harness/pseudo-random.js';
import { makeZip } from './support/make-zip.js';

const FOLDER = join(process.cwd(), 'test', 'fixtures', 'symbols', 'native', 'built');

const hostile = suite('hostile native symbol files');

const TYPES: Record<string, number> = { '.symtab': 2, '.shstrtab': 3 };

/**
 * A 64-bit ELF file for arm64 with the given sections: name, flags, content. A symbol table uses the names of sections.
 */
function elfOf(sections: Array<[name: string, flags: number, content: Buffer]>): Buffer {
  const names = Buffer.from(`\0${[...sections.map(([name]) => name), '.shstrtab'].join('\0')}\0`);
  const all: Array<[string, number, Buffer]> = [...sections, ['.shstrtab', 0, names]];
  const header = Buffer.alloc(64);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  header.writeUInt16LE(3, 16);
  header.writeUInt16LE(183, 18);
  header.writeBigUInt64LE(64n, 40);
  header.writeUInt16LE(64, 58);
  header.writeUInt16LE(all.length + 1, 60);
  header.writeUInt16LE(all.length, 62);
  const table = Buffer.alloc(64 * (all.length + 1));
  let offset = 64 + table.length;
  for (const [index, [name, flags, content]] of all.entries()) {
    const at = 64 * (index + 1);
    table.writeUInt32LE(names.indexOf(`${name}\0`), at);
    table.writeUInt32LE(TYPES[name] ?? 1, at + 4);
    table.writeBigUInt64LE(BigInt(flags), at + 8);
    table.writeBigUInt64LE(BigInt(offset), at + 24);
    table.writeBigUInt64LE(BigInt(content.length), at + 32);
    if (name === '.symtab') table.writeUInt32LE(all.length, at + 40);
    offset += content.length;
  }
  return Buffer.concat([header, table, ...all.map(([, , content]) => content)]);
}

function refusal(bytes: Uint8Array, convert: (bytes: Uint8Array) => unknown = convertNative): string {
  try {
    convert(bytes);
  } catch (error) {
    assert.is((error as Error).name, 'SymbolFileError', (error as Error).stack);
    return (error as SymbolFileError).code;
  }
  return 'converted';
}

/** A DWARF 4 compile unit with the given entries. */
function unitOf(entries: Buffer, version = 4): Buffer {
  const header = Buffer.alloc(11);
  header.writeUInt32LE(entries.length + 7, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt8(8, 10);
  return Buffer.concat([header, entries]);
}

/**
 * A DWARF 2 line table that runs the opcodes from 0x1000 on; all are special opcodes, with a line base of −5 and a line
 * range of 14.
 */
function lineTableOf(opcodes: Buffer): Buffer {
  const head = Buffer.from([2, 0, 9, 0, 0, 0, 1, 1, 0xfb, 14, 1, 0x66, 0, 0, 0]);
  const setAddress = Buffer.from([0, 9, 2, 0, 0x10, 0, 0, 0, 0, 0, 0]);
  const program = Buffer.concat([setAddress, opcodes, Buffer.from([0, 1, 1])]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length + program.length, 0);
  return Buffer.concat([length, head, program]);
}

hostile('a compressed section may not claim more than such a file can hold', () => {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(1, 0);
  header.writeBigUInt64LE(1n << 40n, 8);
  const section = Buffer.concat([header, deflateSync(Buffer.from('x'))]);
  assert.is(refusal(elfOf([['.debug_info', 0x800, section]])), 'too_large');
});

hostile('a compressed section that inflates to more than it declares is rejected', () => {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(1, 0);
  header.writeBigUInt64LE(1000n, 8);
  const section = Buffer.concat([header, deflateSync(Buffer.alloc(10_000_000))]);
  assert.is(refusal(elfOf([['.debug_info', 0x800, section]])), 'malformed');
});

hostile('endless integers, unknown forms and undeclared abbreviations are rejected', () => {
  const endless = Buffer.alloc(4096, 0xff);
  const info = unitOf(endless);
  assert.is(
    refusal(
      elfOf([
        ['.debug_info', 0, info],
        ['.debug_abbrev', 0, endless],
      ]),
    ),
    'malformed',
  );
  const unknownForm = Buffer.from([1, 0x11, 1, 3, 0x7e, 0, 0, 0]);
  assert.is(
    refusal(
      elfOf([
        ['.debug_info', 0, unitOf(Buffer.alloc(64, 1))],
        ['.debug_abbrev', 0, unknownForm],
      ]),
    ),
    'malformed',
  );
  assert.is(
    refusal(
      elfOf([
        ['.debug_info', 0, unitOf(Buffer.alloc(64, 9))],
        ['.debug_abbrev', 0, unknownForm],
      ]),
    ),
    'malformed',
  );
});

hostile('a form that refers to itself is rejected', () => {
  const abbrev = Buffer.from([1, 0x11, 1, 3, 0x16, 0, 0, 0]);
  const info = unitOf(Buffer.from([1, ...Array<number>(64).fill(0x16)]));
  assert.is(
    refusal(
      elfOf([
        ['.debug_info', 0, info],
        ['.debug_abbrev', 0, abbrev],
      ]),
    ),
    'malformed',
  );
});

hostile('endlessly nested entries are rejected', () => {
  const abbrev = Buffer.from([1, 0x11, 1, 0, 0, 0]);
  const info = unitOf(Buffer.alloc(200_000, 1));
  assert.is(
    refusal(
      elfOf([
        ['.debug_info', 0, info],
        ['.debug_abbrev', 0, abbrev],
      ]),
    ),
    'malformed',
  );
});

hostile('thousands of functions naming one long range list are stopped', () => {
  // A unit, then functions whose only attribute is DW_AT_ranges 0.
  const abbrev = Buffer.from([1, 0x11, 1, 0, 0, 2, 0x2e, 0, 0x55, 0x17, 0, 0, 0]);
  const entry = Buffer.from([2, 0, 0, 0, 0]);
  const info = unitOf(Buffer.concat([Buffer.from([1]), ...Array<Buffer>(100_000).fill(entry), Buffer.from([0])]));
  const ranges = Buffer.alloc(16 * 20_000);
  for (let index = 0; index < 20_000; index++) {
    ranges.writeBigUInt64LE(BigInt(0x1000 + index * 2), index * 16);
    ranges.writeBigUInt64LE(BigInt(0x1001 + index * 2), index * 16 + 8);
  }
  const bytes = elfOf([
    ['.debug_info', 0, info],
    ['.debug_abbrev', 0, abbrev],
    ['.debug_ranges', 0, ranges],
  ]);
  assert.is(refusal(bytes), 'too_complex');
});

hostile('thousands of units sharing one line table are stopped', () => {
  const abbrev = Buffer.from([1, 0x11, 0, 0x10, 0x17, 0, 0, 0]);
  const info = Buffer.concat(Array<Buffer>(100_000).fill(unitOf(Buffer.from([1, 0, 0, 0, 0]))));
  const line = lineTableOf(Buffer.alloc(200_000, 0x21));
  const bytes = elfOf([
    ['.debug_info', 0, info],
    ['.debug_abbrev', 0, abbrev],
    ['.debug_line', 0, line],
  ]);
  assert.is(refusal(bytes), 'too_complex');
});

hostile(
  'files that expand to millions of rows, places, calls, types or symbols hit a limit set by the upload’s size',
  () => {
    const withLines = (opcode: number, count: number) => [
      unitOf(Buffer.from([1, 0, 0, 0, 0])),
      Buffer.from([1, 0x11, 0, 0x10, 0x17, 0, 0, 0]),
      lineTableOf(Buffer.alloc(count, opcode)),
    ];
    const code = Buffer.from([2, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    const cases: Record<string, Buffer[]> = {
      rows: withLines(20, 1_100_000),
      places: withLines(21, 600_000),
      calls: [
        unitOf(Buffer.concat([Buffer.from([1]), code, Buffer.alloc(1_100_000, 3), Buffer.alloc(2)])),
        Buffer.from([1, 0x11, 1, 0, 0, 2, 0x2e, 1, 0x11, 1, 0x12, 6, 0, 0, 3, 0x1d, 0, 0, 0, 0]),
      ],
      types: [
        unitOf(
          Buffer.concat([
            Buffer.from([1]),
            code,
            Buffer.alloc(1),
            Buffer.alloc(1_800_000, '\x03\x04\0'),
            Buffer.alloc(1),
          ]),
        ),
        Buffer.from([1, 0x11, 1, 0, 0, 2, 0x2e, 1, 0x11, 1, 0x12, 6, 0, 0, 3, 0x39, 1, 0, 0, 4, 0x2e, 0, 0, 0, 0]),
      ],
    };
    const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
    const path = join(folder, 'a.zip');
    const convert = () => convertNativeLibrary({ path, originalName: 'a.zip', release: '', matchKey: 'a' });
    try {
      for (const [what, [info, abbrev, line = Buffer.alloc(0)]] of Object.entries(cases)) {
        const data = elfOf([
          ['.debug_info', 0, info as Buffer],
          ['.debug_abbrev', 0, abbrev as Buffer],
          ['.debug_line', 0, line],
        ]);
        writeFileSync(path, makeZip([{ name: 'a.so', data }]));
        assert.is(refusal(data, convert), 'too_complex', what);
      }
      const symbol = Buffer.from([1, 0, 0, 0, 0x12, 0, 1, 0, ...Array<number>(8).fill(1), 4, 0, 0, 0, 0, 0, 0, 0]);
      const symbols = elfOf([
        ['.text', 6, Buffer.alloc(8)],
        ['.symtab', 0, Buffer.alloc(300_000 * symbol.length, symbol)],
      ]);
      const publics = `MODULE Linux arm64 ${'0'.repeat(33)} a\n${'PUBLIC 1 0 a\n'.repeat(300_000)}`;
      for (const data of [symbols, Buffer.from(publics)]) {
        writeFileSync(path, makeZip([{ name: 'a.so', data }]));
        assert.is(refusal(data, convert), 'too_complex');
      }
      writeFileSync(path, makeZip([{ name: 'a.so', data: Buffer.alloc(34_000_000) }]));
      assert.is(refusal(Buffer.alloc(0), convert), 'unsafe_archive');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

hostile('randomly altered or truncated files convert or are rejected, and their tables can be read', () => {
  const originals = ['dwarf5.so', 'dwarf2.so', 'zlib.so', 'engine.dwarf', 'thumb.so', 'types.so'].map((name) =>
    gunzipSync(readFileSync(join(FOLDER, `${name}.gz`))),
  );
  const random = numbers(20_240_607);
  for (let round = 0; round < 600; round++) {
    const original = originals[random(originals.length)] as Buffer;
    const length = random(10) === 0 ? random(original.length) : original.length;
    const bytes = Buffer.from(original.subarray(0, length));
    for (let change = random(40); change >= 0 && bytes.length > 0; change--) {
      bytes[random(bytes.length)] = random(3) === 0 ? 0xff : random(256);
    }
    try {
      for (const { table } of convertNative(bytes).images) openTable(table).lookup(0x420 + random(0x200));
    } catch (error) {
      assert.is((error as Error).name, 'SymbolFileError', (error as Error).stack);
    }
  }
});

hostile('a damaged table is recognised', () => {
  const [image] = convertNative(gunzipSync(readFileSync(join(FOLDER, 'dwarf5.so.gz')))).images;
  assert.ok(image);
  const { table } = image;
  const isCorrupt = (error: Error): boolean => (error as SymbolFileError).code === 'corrupt_table';
  assert.throws(() => openTable(table.subarray(0, 40)), isCorrupt);
  assert.throws(() => openTable(table.subarray(0, table.length - 4)), isCorrupt);
  assert.throws(() => openTable(Buffer.alloc(200)), isCorrupt);
});

hostile.run();
