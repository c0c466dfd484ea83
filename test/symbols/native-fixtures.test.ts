import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertNative } from '../../src/symbols/native/convert-native.js';
import { openTable, type SourceFrame } from '../../src/symbols/table/open-table.js';

const FOLDER = join(process.cwd(), 'test', 'fixtures', 'native');

const native = suite('native symbol files of our own');

interface Expectation {
  readonly arch: string;
  readonly address: number;
  readonly frames: string[];
}

function expectations(): Map<string, Expectation[]> {
  const byFile = new Map<string, Expectation[]>();
  for (const line of readFileSync(join(FOLDER, 'expected.txt'), 'utf8').trimEnd().split('\n')) {
    const [file = '', arch = '', address = '', ...frames] = line.split('\t');
    const list = byFile.get(file) ?? [];
    list.push({ arch, address: Number(address), frames: frames.filter((frame) => frame !== '@:0:0') });
    byFile.set(file, list);
  }
  return byFile;
}

function read(name: string): Buffer {
  return gunzipSync(readFileSync(join(FOLDER, `${name}.gz`)));
}

/** The same text as in `expected.txt`, which has DW_AT_name, or the demangled symbol where there is none. */
function agrees(frame: SourceFrame, expected: string): boolean {
  const place = expected.lastIndexOf('@');
  const name = expected.slice(0, place);
  const isNamed = frame.function === name || frame.function.endsWith(`::${name}`);
  return isNamed && `@${frame.file}:${frame.line}:${frame.column ?? 0}` === expected.slice(place);
}

for (const [file, expected] of expectations()) {
  native(`${file}: depth, function, file, line and column are those of llvm-symbolizer`, () => {
    const { images } = convertNative(read(file));
    for (const { arch, address, frames } of expected) {
      const image = images.find((candidate) => arch === '' || candidate.arch === arch);
      assert.ok(image);
      const got = openTable(image.table).lookup(address);
      const message = `0x${address.toString(16)}: ${JSON.stringify(got)} instead of ${JSON.stringify(frames)}`;
      assert.is(got.length, frames.length, message);
      for (const [index, frame] of got.entries()) {
        assert.ok(agrees(frame, frames[index] as string), message);
        assert.is(frame.inlined, index < got.length - 1);
      }
    }
  });
}

native('every committed file has expectations', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.gz'));
  assert.equal(files.map((name) => name.slice(0, -3)).sort(), [...expectations().keys()].sort());
});

native('names are qualified by what encloses them', () => {
  const [image] = convertNative(read('dwarf5.so')).images;
  assert.ok(image);
  const names = new Set<string>();
  const table = openTable(image.table);
  for (let address = 0x400; address < 0x600; address++) {
    for (const frame of table.lookup(address)) if (frame.function !== '') names.add(frame.function);
  }
  assert.equal([...names].sort(), [
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

native('a universal file gives one table per architecture, named by its UUID', () => {
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

native('an ELF file is named by its build id, also once stripped or apart from its code', () => {
  const ids = ['arm64.so', 'arm64.debug'].map((name) => convertNative(read(name)).images[0]?.debugId);
  assert.match(ids[0] ?? '', /^[0-9a-f]{40}$/);
  assert.is(ids[0], ids[1]);
});

native('a stripped library knows names and says that it knows no more', () => {
  const [image] = convertNative(read('stripped.so')).images;
  assert.is(image?.hasDebugInfo, false);
});

native.run();
