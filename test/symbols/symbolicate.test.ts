import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertNative } from '../../src/symbols/native/convert-native.js';
import { openMapping } from '../../src/symbols/retrace/mapping.js';
import { buildMappingIndex } from '../../src/symbols/retrace/mapping-index.js';
import type { SymbolSource } from '../../src/symbols/symbolication/symbol-source.js';
import { symbolicate } from '../../src/symbols/symbolication/symbolicate.js';
import { openTable } from '../../src/symbols/table/open-table.js';
import { crash } from './support/crash-input.js';
import { NO_SYMBOLS } from './support/no-symbols.js';

const frame = (fields: object) => ({
  function: null,
  file: null,
  line: null,
  column: null,
  address: null,
  module: null,
  inApp: null,
  ...fields,
});

const x = suite('symbolicate');

x('says what is missing, and which frames are invalid', async () => {
  const images = [
    {
      type: 'macho',
      debugId: '3ADB330A-1C19-3B98-A531-D9E09FAA3A15',
      codeFile: 'App',
      imageAddress: '0x100000000',
      imageSize: 0x1000,
      arch: 'arm64',
    },
  ];
  const frames = ['0x100000010', '0x200000000', 'zzz'].map((address) => frame({ address }));
  const result = await symbolicate(crash({ frames, images }), NO_SYMBOLS);
  assert.equal(
    result.frames.map((one) => one.status),
    ['missing_symbol', 'unknown_image', 'malformed'],
  );
  assert.equal(result.missing, [{ key: '3adb330a-1c19-3b98-a531-d9e09faa3a15', kind: 'ios_dsym' }]);
});

/** As debuggerd prints it, with the addresses from arm64.debug's answers and an id invented for the test. */
const TOMBSTONE = `*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
Build fingerprint: 'google/oriole/oriole:14/AP2A/1:user/release-keys'
ABI: 'arm64'
pid: 5412, tid: 5440, name: Thread-7  >>> com.example.game <<<
signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000008
backtrace:
      #00 pc 000000000000044c  /data/app/base.apk!libengine.so (offset 0x1000) (step(int)+60) (BuildId: 00aabbccddeeff)
      #01 pc 00000000000004c4  /data/app/base.apk!libengine.so (BuildId: 00aabbccddeeff)
      #02 pc 000000000007a1b4  /data/app/lib/arm64/libother.so (helper(int, char*)+12)
      #03 pc 00000000000b1910  /apex/com.android.runtime/lib64/bionic/libc.so (__pthread_start(void*)+264) (BuildId: 1122334455667788)

--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---
      #00 pc 000000000007a1b4  /system/lib64/libutils.so`;

x('a tombstone reads like its source', async () => {
  const [image] = convertNative(gunzipSync(readFileSync('test/fixtures/symbols/native/built/arm64.debug.gz'))).images;
  const table = openTable(image?.table ?? new Uint8Array());
  const asked: string[] = [];
  const native: SymbolSource['native'] = async ([key = '']) => {
    asked.push(key);
    return key === '00aabbccddeeff' ? { table, dartSections: null } : null;
  };
  const result = await symbolicate(crash({ rawStacktrace: TOMBSTONE }), { ...NO_SYMBOLS, native });
  assert.is(result.exceptionType, 'SIGSEGV');
  const [first] = result.frames;
  assert.equal([first?.file, first?.line, first?.inlined, first?.inApp], ['/src/./engine.h', 9, true, true]);
  assert.equal(
    result.frames.map((one) => [one.reported, one.function?.split('::').at(-1), one.status]),
    [
      [0, 'mix<int>', 'symbolicated'],
      [0, 'tick', 'symbolicated'],
      [0, 'operator()', 'symbolicated'],
      [0, 'step', 'symbolicated'],
      [1, 'run', 'symbolicated'],
      [2, 'helper(int, char*)', 'unknown_image'],
      [3, '__pthread_start(void*)', 'missing_symbol'],
    ],
  );
  assert.equal(result.missing, []);
  assert.equal(asked, ['00aabbccddeeff', '1122334455667788']);
  assert.match(
    result.stacktrace ?? '',
    /#01 pc 00000000000004c4 {2}\S+libengine\.so \(.*run at \/src\/engine\.cpp:23:3\)/,
  );
});

x('a tombstone names libraries without symbols, by their id or by the event’s images', async () => {
  const images = [
    { type: 'elf', debugId: 'FEED0102', codeFile: '/x/libother.so', imageAddress: null, imageSize: null, arch: null },
  ];
  const logcat = TOMBSTONE.replaceAll(/^/gm, '11-21 07:00:00.123  F DEBUG   : ');
  const result = await symbolicate(crash({ rawStacktrace: logcat, images }), NO_SYMBOLS);
  assert.equal(result.missing, [
    { key: '00aabbccddeeff', kind: 'android_ndk' },
    { key: 'FEED0102', kind: 'android_ndk' },
  ]);
  assert.is(result.stacktrace, logcat);
  assert.is(result.frames.length, 4);
});

x('names on platforms without symbols stay unchanged', async () => {
  const result = await symbolicate(
    crash({ platform: 'python', frames: [frame({ function: 'main', line: 3 })] }),
    NO_SYMBOLS,
  );
  assert.is(result.frames[0]?.status, 'symbolicated');
  assert.equal(result.missing, []);
});

x('code without a file and scripts of the engine lack no source map', async () => {
  const rawStacktrace = [
    'Error: closed',
    '    at pay (/srv/shop.js:1:20)',
    '    at <anonymous>:1:1',
    '    at evalmachine.<anonymous>:1:1',
    '    at [eval]:1:7',
    '    at eventLoopTick (ext:core/01_core.js:175:7)',
    '    at processTicksAndRejections (native:7:39)',
    '    at apply (address at InternalBytecode.js:1:100)',
    '    at run (node:internal/modules/run_main:154:5) {',
    '  code: 1',
    '}',
  ].join('\n');
  const result = await symbolicate(crash({ platform: 'node', rawStacktrace }), NO_SYMBOLS);
  assert.equal(result.missing, [{ key: 'shop.js', kind: 'js_sourcemap' }]);
  const [own, ...without] = result.frames.map(({ status, reason, inApp }) => [status, reason, inApp]);
  assert.equal(own, ['missing_symbol', 'No source map is stored for shop.js.', null]);
  const noFile = ['missing_symbol', 'The code has no file, and so no source map.', null];
  const engine = ['symbolicated', null, false];
  assert.equal(without, [noFile, noFile, noFile, engine, engine, engine, engine]);
  assert.ok(result.stacktrace?.endsWith('(node:internal/modules/run_main:154:5) {\n  code: 1\n}'));
});

x('a trace of .NET is not one of Java', async () => {
  const rawStacktrace = [
    'System.InvalidOperationException: closed',
    '   at Shop.Cart.Pay(Item item, Int32 count) in C:\\src\\Cart.cs:line 12',
    '   at Shop.Program.Run()',
    '   at Shop.Program.Main(String[] args)',
  ].join('\n');
  assert.equal((await symbolicate(crash({ rawStacktrace }), NO_SYMBOLS)).frames, []);
});

/** As Android's runtime dumps an app that does not respond. */
const THREADS = `----- pid 5412 at 2026-11-28 10:00:00.000 -----
Cmd line: com.example.game
DALVIK THREADS (2):
"main" prio=5 tid=1 Sleeping
  | group="main" sCount=1 dsCount=0
  native: #00 pc 000000000004b4ac  /apex/com.android.runtime/lib64/bionic/libc.so (syscall+28)
  at java.lang.Thread.sleep(Native method)
  - sleeping on <0x0abc> (a java.lang.Object)
  at a.b(SourceFile:12)

"Signal Catcher" daemon prio=5 tid=2 Runnable
  native: #00 pc 0000000000012345  /system/lib64/libart.so (art::DumpNativeStack+12)
  at a.c(SourceFile:13)`;

x('of several threads, the frames are those of the first', async () => {
  const classOfA = openMapping(
    buildMappingIndex(Buffer.from('com.shop.Cart -> a:\n    1:9:void pay():12:12 -> c\n')).table,
  );
  for (const mapping of [null, classOfA]) {
    const source: SymbolSource = { ...NO_SYMBOLS, mapping: async () => mapping };
    const { frames, stacktrace } = await symbolicate(crash({ platform: 'android', rawStacktrace: THREADS }), source);
    assert.equal(
      frames.map((one) => one.function),
      ['syscall', 'sleep', 'b'],
    );
    assert.is(stacktrace?.split('\n').length, THREADS.split('\n').length);
    assert.is(stacktrace?.includes('com.shop.Cart'), mapping !== null);
  }
});

x('a trace of Dart that has names is read as it is', async () => {
  const rawStacktrace = [
    'Bad state: closed',
    '#0      Cart.add (package:shop/cart.dart:12:7)',
    '#1      _CartState.build.<anonymous closure> (package:shop/cart.dart:40)',
    '<asynchronous suspension>',
    '#2      new Future.microtask (dart:async/future.dart:282:37)',
    '#3      main (file:///C:/shop/main.dart:3:5)',
    'flutter: #4      MultiChild.update (package:flutter/src/widgets/framework.dart)',
    '(elided 3 frames from dart:async)',
  ].join('\n');
  const { frames, stacktrace, missing } = await symbolicate(crash({ rawStacktrace }), NO_SYMBOLS);
  assert.equal(
    frames.map((one) => [one.function, one.file, one.line, one.column, one.inApp, one.status]),
    [
      ['Cart.add', 'package:shop/cart.dart', 12, 7, true, 'symbolicated'],
      ['_CartState.build.<anonymous closure>', 'package:shop/cart.dart', 40, null, true, 'symbolicated'],
      ['new Future.microtask', 'dart:async/future.dart', 282, 37, false, 'symbolicated'],
      ['main', 'file:///C:/shop/main.dart', 3, 5, false, 'symbolicated'],
      ['MultiChild.update', 'package:flutter/src/widgets/framework.dart', null, null, false, 'symbolicated'],
    ],
  );
  assert.equal([stacktrace, missing], [rawStacktrace, []]);
});

x('an ambiguous frame lists its alternatives', async () => {
  const text = `shop.Basket -> a:
    void clear() -> b
    boolean close(int) -> b
    void shut() -> b
`;
  const mapping = openMapping(buildMappingIndex(Buffer.from(text)).table);
  const source = { ...NO_SYMBOLS, mapping: async () => mapping };
  const frames = [frame({ module: 'a', function: 'b', file: 'SourceFile', line: 12 })];
  const read = await symbolicate(crash({ platform: 'android', frames }), source);
  const rawStacktrace = 'a: closed\n\tat a.b(SourceFile:12)';
  const trace = await symbolicate(crash({ platform: 'android', rawStacktrace }), source);
  assert.is(
    trace.stacktrace,
    `shop.Basket: closed
\tat shop.Basket.clear(Basket.java:12)
\t<OR> at shop.Basket.close(Basket.java:12)
\t<OR> at shop.Basket.shut(Basket.java:12)`,
  );
  for (const { frames: shown } of [read, trace]) {
    assert.is(shown.length, 1);
    assert.equal([shown[0]?.function, shown[0]?.line], ['clear', 12]);
    assert.equal(
      shown[0]?.alternatives,
      ['close', 'shut'].map((name) => ({ module: 'shop.Basket', function: name, file: 'Basket.java', line: 12 })),
    );
  }
});

x.run();
