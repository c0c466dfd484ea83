import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertNative } from '../../src/symbols/native/convert-native.js';
import type { CrashInput } from '../../src/symbols/symbolication/crash-frame.js';
import type { SymbolSource } from '../../src/symbols/symbolication/symbol-source.js';
import { symbolicate } from '../../src/symbols/symbolication/symbolicate.js';
import { openTable } from '../../src/symbols/table/open-table.js';
import { ownMilliseconds } from '../support/processor-time.js';
import type { AnsweredSlice } from './support/native-answers.js';

const BUILT = 'test/fixtures/symbols/native/built';
const read = (name: string): Buffer => gunzipSync(readFileSync(`${BUILT}/${name}.gz`));

const apple = suite('reports of Apple’s systems');

const { slices } = JSON.parse(read('engine.dwarf.answers.json').toString()) as { slices: AnsweredSlice[] };
const slice = slices.find(({ arch }) => arch === 'arm64') as AnsweredSlice;
const image = convertNative(read('engine.dwarf')).images.find(({ arch }) => arch === 'arm64');
const table = openTable(image?.table ?? new Uint8Array());
const id = (slice.debugId ?? '').replaceAll('-', '').toLowerCase();

/** Two addresses with lines: one with nested inlined calls, and one directly in a function. */
const inlined = slice.addresses.find(({ frames }) => frames.length > 2);
const plain = slice.addresses.findLast(({ frames }) => frames.length === 1 && (frames[0]?.line ?? 0) > 0);
const BASE = 0x1_02ae_c000n;
const top = BASE + BigInt(inlined?.address ?? 0) - BigInt(table.imageBase);
/** A return address: the call is the instruction before. */
const caller = BASE + BigInt(plain?.address ?? 0) - BigInt(table.imageBase) + 4n;
const hex = (address: bigint, width = 0) => `0x${address.toString(16).padStart(width, '0')}`;

const source: SymbolSource = {
  native: async ([key = '']) => (key === id ? { table, dartSections: null } : null),
  flutter: async () => null,
  sourceMap: async () => null,
  script: async () => null,
  mapping: async () => null,
};

const crash = (rawStacktrace: string): CrashInput => ({
  platform: 'ios',
  exceptionType: null,
  frames: [],
  images: [],
  rawStacktrace,
  programCounter: null,
  release: null,
});

const BACKTRACE = `0   Game Engine                   \t${hex(top, 16)} ${hex(BASE)} + 1234
1   Game Engine                   \t${hex(caller, 16)} main + 88
2   libdyld.dylib                 \t0x00000001b0a4b3f4 start + 4
3   Helper                        \t0x0000000103000010 0x103000000 + 16`;

const IMAGES = `Binary Images:
${hex(BASE)} - ${hex(BASE + 0xffffn)} Game Engine arm64  <${id}> /var/containers/Bundle/Application/1/Game.app/Game Engine
0x1b0a4a000 - 0x1b0a4ffff libdyld.dylib arm64e  <00000000000000000000000000000001> /usr/lib/system/libdyld.dylib
0x103000000 - 0x10300ffff Helper arm64  <00000000000000000000000000000002> /var/containers/Bundle/Application/1/Game.app/Frameworks/Helper
`;

const HEAD = `Incident Identifier: 6156848E-0000-0000-0000-000000000000
Hardware Model:      iPhone14,2
Process:             Game Engine [1052]
Code Type:           ARM-64 (Native)

Exception Type:  EXC_BREAKPOINT (SIGTRAP)
Exception Codes: 0x0000000000000001, 0x0000000102afb3d0
`;

const STATE = `
Thread 1:
0   libsystem_kernel.dylib        \t0x00000001b0a4b3f4 __workq_kernreturn + 8

Thread 0 crashed with ARM Thread State (64-bit):
    x0: 0x0000000000000000   x1: 0x0000000000000001
    lr: 0x0000000102afb3d0   sp: 0x000000016d311e40   pc: ${hex(top, 16)}
   cpsr: 0x60000000

`;

function isTheSource(frames: Awaited<ReturnType<typeof symbolicate>>['frames'], helper: string | null): void {
  const depth = inlined?.frames.length ?? 0;
  assert.ok(depth > 2);
  assert.equal(
    frames.slice(0, depth + 1).map(({ file, line, reported, status }) => [file, line, reported, status]),
    [
      ...(inlined?.frames ?? []).map(({ file, line }) => [file, line, 0, 'symbolicated']),
      ...(plain?.frames ?? []).map(({ file, line }) => [file, line, 1, 'symbolicated']),
    ],
  );
  assert.equal(
    frames.slice(depth + 1).map(({ function: name, module, status, inApp }) => [name, module, status, inApp]),
    [
      ['start', 'libdyld.dylib', 'missing_symbol', false],
      [helper, 'Helper', 'missing_symbol', true],
    ],
  );
}

apple('a .crash reads like its source, and requires no system symbols', async () => {
  const text = `${HEAD}\nThread 0 name:  Dispatch queue: com.apple.main-thread\nThread 0 Crashed:\n${BACKTRACE}\n${STATE}${IMAGES}`;
  // Before iOS 15, an .ips file has the same text behind a line of JSON.
  const ips = `{"app_name":"Game Engine","bug_type":"109","os_version":"iPhone OS 14.8 (18H17)"}\n${text}`;
  for (const written of [text, text.replaceAll('\n', '\r\n'), ips]) {
    const result = await symbolicate(crash(written), source);
    assert.is(result.exceptionType, 'SIGTRAP');
    isTheSource(result.frames, null);
    assert.equal(result.missing, [{ key: '00000000000000000000000000000002', kind: 'ios_dsym' }]);
    const lines = (result.stacktrace ?? '').split(/\r?\n/);
    const own = lines.filter((line) => line.startsWith('1   Game Engine'));
    assert.match(own.join(), new RegExp(`\\(${plain?.frames[0]?.file}:${plain?.frames[0]?.line}\\)$`));
    assert.is(lines.filter((line) => line.startsWith('0   Game Engine')).length, inlined?.frames.length);
    assert.ok(lines.includes(BACKTRACE.split('\n')[2] ?? ''), 'lines without symbols stay unchanged');
    assert.ok(lines.includes('Hardware Model:      iPhone14,2'));
  }
});

apple('the backtrace of an exception comes before that of the thread, even without names', async () => {
  const thread = `Thread 0 Crashed:\n0   libdyld.dylib                 \t0x00000001b0a4b3f4 abort + 4\n`;
  const bare = `Last Exception Backtrace:\n(${hex(0x1b0a4b3f4n)} ${hex(caller)} 0x103000010)\n\n`;
  const result = await symbolicate(crash(`${HEAD}\n${bare}${thread}${STATE}${IMAGES}`), source);
  assert.equal(
    result.frames.map(({ module, status, line }) => [module, status, line]),
    [
      ['libdyld.dylib', 'missing_symbol', null],
      ['Game Engine', 'symbolicated', plain?.frames[0]?.line],
      ['Helper', 'missing_symbol', null],
    ],
  );
  assert.match(result.stacktrace ?? '', /^1 {3}Game Engine +0x[0-9a-f]+ \S.* \(.*:\d+\)$/m);
});

apple('an .ips reads like its source', async () => {
  const frame = (imageIndex: number, address: bigint, base: bigint, symbol?: string) => ({
    imageIndex,
    imageOffset: Number(address - base),
    ...(symbol && { symbol, symbolLocation: 4 }),
  });
  const used = (uuid: string, base: bigint, path: string) => ({
    source: 'P',
    arch: 'arm64',
    base: Number(base),
    size: 0x10000,
    uuid,
    path,
    name: path.split('/').at(-1),
  });
  const body = {
    exception: { codes: '0x1', type: 'EXC_BAD_ACCESS', signal: 'SIGSEGV' },
    faultingThread: 1,
    threads: [
      { id: 1, frames: [frame(1, 0x1b0a4b3f4n, 0x1b0a4a000n, 'wait')] },
      {
        id: 2,
        triggered: true,
        threadState: { flavor: 'ARM_THREAD_STATE64', pc: { value: Number(top) } },
        frames: [
          frame(0, top, BASE),
          frame(0, caller, BASE, 'main'),
          frame(1, 0x1b0a4b3f4n, 0x1b0a4a000n, 'start'),
          frame(2, 0x103000010n, 0x103000000n),
        ],
      },
    ],
    usedImages: [
      used(slice.debugId ?? '', BASE, '/private/var/containers/Bundle/Application/1/Game.app/Game Engine'),
      used('00000000-0000-0000-0000-000000000001', 0x1b0a4a000n, '/usr/lib/system/libdyld.dylib'),
      used(
        '00000000-0000-0000-0000-000000000002',
        0x103000000n,
        '/private/var/containers/Bundle/Application/1/Game.app/Helper',
      ),
    ],
  };
  const head = { app_name: 'Game Engine', bug_type: '309' };
  for (const text of [`${JSON.stringify(head)}\n${JSON.stringify(body, null, 2)}`, JSON.stringify(body)]) {
    const result = await symbolicate(crash(text), source);
    assert.is(result.exceptionType, 'SIGSEGV');
    isTheSource(result.frames, null);
    assert.equal(result.missing, [{ key: '00000000-0000-0000-0000-000000000002', kind: 'ios_dsym' }]);
    assert.match(result.stacktrace ?? '', /^0 {3}Game Engine +0x[0-9a-f]+ \S.* \(.*:\d+\)$/m);
    assert.match(result.stacktrace ?? '', /^2 {3}libdyld\.dylib +0x1b0a4b3f4 start$/m);
  }
});

apple('text that only looks like a report is not treated as one, and takes hardly longer than other text', async () => {
  const wide = `${HEAD}Thread 0 Crashed:\n${`0 ${'a '.repeat(9_000)}0x1 \n`.repeat(40)}\nBinary Images:\n${`0x1 - 0x2 ${'b '.repeat(9_000)}<0\n`.repeat(40)}`;
  const usual = await ownMilliseconds(() => symbolicate(crash('x '.repeat(wide.length / 2)), source));
  const took = await ownMilliseconds(() => symbolicate(crash(wide), source));
  // Quadratic time in the length of a line would take some thousand times as long.
  assert.ok(took < 50 * Math.max(usual, 10), `${took} ms, ${usual} ms for other text`);
  for (const text of [
    '{',
    '{"usedImages":{},"threads":[]}',
    '{"usedImages":[null,7],"threads":[null,{"triggered":true,"frames":null}]}',
    '{"usedImages":[{"base":-1}],"threads":[{"triggered":true,"frames":[{"imageIndex":9},null,5]}]}',
    `${HEAD}\nBinary Images:\n`,
    wide,
  ]) {
    const { frames } = await symbolicate(crash(text), source);
    assert.ok(frames.every(({ status }) => status !== 'symbolicated'));
  }
});

apple.run();
