import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nativeTable } from '../../src/symbols/conversion/native-table.js';
import { silentSink } from '../../src/symbols/native/conversion-sink.js';
import { type ConvertedImage, convertNative } from '../../src/symbols/native/convert-native.js';
import { demangleSymbol } from '../../src/symbols/native/demangle/demangle-symbol.js';
import { readObjects } from '../../src/symbols/native/read-objects.js';
import { openTable } from '../../src/symbols/table/open-table.js';
import { type AnsweredSlice, compareNative } from './support/native-answers.js';

const FOLDER = join(process.cwd(), 'test', 'fixtures', 'symbols', 'native', 'built');
const ANSWERS = '.answers.json';

/** Where we differ from llvm-symbolizer, at how many addresses, and why. */
const KNOWN: Record<string, { addresses: number; what: RegExp; reason: string }> = {
  'rust-lto.so': {
    addresses: 2,
    what: /^symbol name: .*fmt\.91/,
    reason: 'the number of a clone stands behind a name of Rust as rustc writes it',
  },
  'rust-dwarf5.so': {
    addresses: 3,
    what: /^symbol name: .*fmt\.111/,
    reason: 'the number of a clone stands behind a name of Rust as rustc writes it',
  },
  'supplemented.so': {
    addresses: 34,
    what: /^function: .*"function":"divided".*divided\.cold/,
    reason: 'a function whose name is in a file that is not read has that of the symbol where it is entered',
  },
  'labels.so': {
    addresses: 1,
    what: /^symbol name: .*"function":"weigh".*weigh_again/,
    reason: 'a label inside of a function does not name its code',
  },
};

/** Split DWARF, by compiler: linked files with a package, without which they have different answers. */
const PACKED_BY: Record<string, readonly string[]> = {
  clang: ['split', 'split4', 'packed-types', 'packed-types5'],
  gcc: ['packed-gcc', 'packed-gcc4'],
  rustc: ['packed-rust', 'packed-rust5'],
};
const PACKED = Object.values(PACKED_BY).flat();
/** rustc writes a clone number after a Rust name; at how many addresses of both files. */
const CLONE = { what: /^symbol name: .*fmt\.91/, addresses: 4 };
const SKELETONS = ['gcc-split.so', ...PACKED.map((name) => `${name}.so`)];
/** Without addresses, so that there is nothing to ask. */
const UNLINKED = ['object.o', 'engine.dwo', ...PACKED.map((name) => `${name}.dwp`)];

const native = suite('native symbol files of our own');

function read(name: string): Buffer {
  return gunzipSync(readFileSync(join(FOLDER, `${name}.gz`)));
}

function answersOf(name: string): AnsweredSlice[] {
  return (JSON.parse(read(name).toString()) as { slices: AnsweredSlice[] }).slices;
}

const built = readdirSync(FOLDER).map((name) => name.slice(0, -'.gz'.length));
const answered = built.filter((name) => name.endsWith(ANSWERS)).map((name) => name.slice(0, -ANSWERS.length));
let asked = 0;
let known = 0;

for (const file of answered.filter((name) => !SKELETONS.includes(name))) {
  native(`${file}: depth, function, file, line and column of every address match llvm-symbolizer`, () => {
    const comparison = compareNative(read(file), answersOf(`${file}${ANSWERS}`));
    const expected = KNOWN[file];
    const unforeseen = comparison.differing.filter(({ what }) => !expected?.what.test(what));
    assert.equal(unforeseen.slice(0, 3), []);
    assert.is(comparison.differing.length, expected?.addresses ?? 0, expected?.reason);
    assert.ok(comparison.asked > 0);
    asked += comparison.asked;
    known += comparison.differing.length;
  });
}

native('every file has answers', () => {
  const files = built.filter((name) => !name.includes('.json'));
  assert.equal([...answered, ...UNLINKED].sort(), files.sort());
  console.log(`  ${asked - known} of ${asked} native addresses agree; ${known} differ as known`);
});

for (const [compiler, names] of Object.entries(PACKED_BY)) {
  native(`split DWARF of ${compiler} with its package: every address matches llvm-symbolizer`, () => {
    let addresses = 0;
    let clones = 0;
    for (const name of names) {
      const packages = readObjects(read(`${name}.dwp`));
      const answers = answersOf(`${name}.so.answers-with-package.json`);
      const { asked: all, differing } = compareNative(read(`${name}.so`), answers, packages);
      const unforeseen = differing.filter(({ what }) => !CLONE.what.test(what));
      assert.equal(unforeseen.slice(0, 3), [], name);
      addresses += all;
      clones += differing.length;
    }
    assert.ok(addresses >= 1000, `${addresses}`);
    assert.is(clones, compiler === 'rustc' ? CLONE.addresses : 0);
  });
}

native('split DWARF of every compiler without its package yields only symbol names', () => {
  for (const name of PACKED) {
    const [image] = convertNative(read(`${name}.so`)).images;
    assert.is(image?.hasDebugInfo, false, name);
    assert.ok((image?.missingSplits?.ids.length ?? 0) > 0, name);
  }
});

native('split DWARF without its package yields only symbol names, and says what to do', () => {
  for (const [name, other] of [
    ['split', 'split4'],
    ['split4', 'split'],
  ]) {
    for (const packages of [[], readObjects(read(`${other}.dwp`))]) {
      const [image] = convertNative(read(`${name}.so`), silentSink, packages).images;
      assert.is(image?.hasDebugInfo, false);
      assert.equal(image?.missingSplits?.files, ['engine.dwo', 'plain.dwo']);
      const frames = openTable((image as ConvertedImage).table).lookup(0x2b0);
      for (const frame of frames) assert.equal([frame.file, frame.line], ['', 0]);
    }
  }
  assert.throws(() => convertNative(read('split.dwp')), /split debug information package/);
});

native('a .dwo alone is rejected with the reason', () => {
  assert.throws(() => convertNative(read('engine.dwo')), /one object file \(\.dwo\).*upload the package/);
});

native('an object file and a core dump are rejected with the reason', () => {
  assert.throws(() => convertNative(read('object.o')), /object file or kernel module, whose code has no addresses/);
  const core = read('dwarf5.so');
  core.writeUInt16LE(4, 16);
  assert.throws(() => convertNative(core), /core dump/);
});

native('a file with debug information that is not read says where it is', () => {
  const detailsOf = (name: string) =>
    convertNative(read(name))
      .images.map((image) => nativeTable(image, []))
      .map(({ detail, detailReason }) => ({ detail, detailReason }))[0];
  assert.equal(detailsOf('linked.so'), {
    detail: 'names',
    detailReason: 'Its debug information is in a separate file (linked.debug). Upload that one.',
  });
  assert.equal(detailsOf('stabs.so'), {
    detail: 'names',
    detailReason: 'Its debug information has the format stabs, which is not supported. Compile with -gdwarf.',
  });
  const { detail, detailReason } = detailsOf('supplemented.so') ?? {};
  assert.is(detail, 'full');
  assert.match(detailReason ?? '', /supplementary file \(supplement\.debug\), which is not read/);
  assert.is(detailsOf('dwz.so')?.detailReason, null);
});

function namesIn(file: string): string[] {
  const [image] = convertNative(read(file)).images;
  assert.ok(image);
  const names = new Set<string>();
  const table = openTable(image.table);
  for (let address = 0x200; address < 0x600; address++) {
    for (const frame of table.lookup(address)) if (frame.function !== '' && frame.line > 0) names.add(frame.function);
  }
  return [...names].sort();
}

native('names are written as in their language', () => {
  assert.equal(namesIn('stock-d.so'), ['shop.stock.Item.worth', 'stockWorth', 'stockWorth.fold', 'stockWorth.nested']);
  assert.equal(namesIn('stock-ada.so'), ['stock__shelf__Oadd', 'stock__worth', 'stock__worth__add']);
});

native('names are qualified by their enclosing scopes', () => {
  assert.equal(namesIn('dwarf5.so'), [
    'crash',
    'game::(anonymous namespace)::clamp',
    'game::Engine::Engine',
    'game::Engine::Parts::count',
    'game::Engine::step',
    'game::Engine::step::(anonymous class)::operator()',
    'game::Engine::tick',
    'game::mix<int>',
    'game::run',
    'halve',
    'plain',
    'start',
  ]);
});

native('overloads are told apart by the parameter lists in their symbols', () => {
  const [image] = convertNative(read('market-gcc.so')).images;
  assert.ok(image);
  const table = openTable(image.table);
  const overloads = new Map<string, Set<string>>();
  for (const slice of answersOf('market-gcc.so.answers.json')) {
    for (const { address } of slice.addresses) {
      for (const { function: name, symbol } of table.lookup(Number(address))) {
        if (symbol === undefined) continue;
        const known = overloads.get(name) ?? new Set();
        overloads.set(name, known.add(demangleSymbol(symbol)));
      }
    }
  }
  const [name, signatures] = [...overloads].find(([, found]) => found.size > 1) ?? ['', new Set<string>()];
  assert.ok(signatures.size > 1);
  for (const signature of signatures) assert.ok(signature.includes(name.replace(/<.*/, '')) && signature.includes('('));
});

native('a universal file yields one table per architecture, named by its UUID', () => {
  const { images } = convertNative(read('engine.dwarf'));
  assert.equal(
    images.map(({ arch, kind, hasDebugInfo }) => [arch, kind, hasDebugInfo]),
    [
      ['x86_64', 'macho', true],
      ['arm64', 'macho', true],
    ],
  );
  for (const { debugId } of images) assert.match(debugId ?? '', /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
});

native('an ELF file is named by its build id, even if stripped or separated from its code', () => {
  const ids = ['arm64.so', 'arm64.debug'].map((name) => convertNative(read(name)).images[0]?.debugId);
  assert.match(ids[0] ?? '', /^[0-9a-f]{40}$/);
  assert.is(ids[0], ids[1]);
});

native('a stripped library yields names and is marked as having only those', () => {
  const [image] = convertNative(read('stripped.so')).images;
  assert.is(image?.hasDebugInfo, false);
});

native.run();
