import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertNative } from '../../src/symbols/native/convert-native.js';
import type { CrashFrame, CrashInput } from '../../src/symbols/symbolication/crash-frame.js';
import { groupCrash } from '../../src/symbols/symbolication/crash-grouping.js';
import type { SymbolSource } from '../../src/symbols/symbolication/symbol-source.js';
import { symbolicate } from '../../src/symbols/symbolication/symbolicate.js';
import { openTable } from '../../src/symbols/table/open-table.js';
import { NO_SYMBOLS } from './support/no-symbols.js';

const grouping = suite('grouping of crashes');

const fingerprint = (exceptionType: string | null, frames: readonly CrashFrame[]): string =>
  groupCrash(exceptionType, frames, { message: null, exception: null } as Parameters<typeof groupCrash>[2]).fingerprint;

/** What a raw trace is grouped by. */
async function groupOf(rawStacktrace: string, source: Partial<SymbolSource> = {}, platform = 'other'): Promise<string> {
  const crash: CrashInput = {
    platform,
    exceptionType: 'E',
    frames: [],
    images: [],
    rawStacktrace,
    programCounter: null,
    release: null,
  };
  const { exceptionType, frames } = await symbolicate(crash, { ...NO_SYMBOLS, ...source });
  assert.ok(frames.length > 1, 'the trace is read');
  return fingerprint(exceptionType, frames);
}

const tombstone = (folder: string, pcs: readonly string[], id = ' (BuildId: 00aabbccddeeff)') =>
  [
    '*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***',
    "ABI: 'arm64'",
    'signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000008',
    'backtrace:',
    ...pcs.map((pc, at) => `      #0${at} pc 0000000000000${pc}  ${folder}/libengine.so${id}`),
  ].join('\n');

const DEVICES = ['/data/app/~~aaaa==/com.x-bbbb==/lib/arm64', '/data/app/~~cccc==/com.x-dddd==/lib/arm64'] as const;

grouping(
  'an Android crash is one issue on every device, and another at another place, with or without symbols',
  async () => {
    const [image] = convertNative(gunzipSync(readFileSync('test/fixtures/symbols/native/built/arm64.debug.gz'))).images;
    const table = openTable(image?.table ?? new Uint8Array());
    for (const source of [{}, { native: async () => ({ table, dartSections: null }) }]) {
      for (const id of [undefined, '']) {
        const [one, other, elsewhere] = await Promise.all([
          groupOf(tombstone(DEVICES[0], ['44c', '4c4'], id), source),
          groupOf(tombstone(DEVICES[1], ['44c', '4c4'], id), source),
          groupOf(tombstone(DEVICES[0], ['4c4', '4c4'], id), source),
        ]);
        assert.is(one, other);
        assert.is.not(one, elsewhere);
      }
    }
  },
);

const dart = (loadedAt: bigint, offsets: readonly bigint[]) =>
  [
    '*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***',
    'os: android arch: arm64 comp: yes sim: no',
    "build_id: '00112233445566778899aabbccddeeff'",
    `isolate_dso_base: ${loadedAt.toString(16)}, vm_dso_base: ${loadedAt.toString(16)}`,
    `isolate_instructions: ${(loadedAt + 0x1000n).toString(16)}, vm_instructions: ${loadedAt.toString(16)}`,
    ...offsets.map(
      (offset, at) =>
        `    #0${at} abs ${(loadedAt + 0x1000n + offset).toString(16).padStart(16, '0')} virt ${(0x1000n + offset).toString(16).padStart(16, '0')} _kDartIsolateSnapshotInstructions+0x${offset.toString(16)}`,
    ),
  ].join('\n');

grouping(
  'a Flutter crash without symbols is one issue wherever its code was loaded, and another at another place',
  async () => {
    const [one, other, elsewhere] = await Promise.all([
      groupOf(dart(0x7000_0000n, [0x10n, 0x20n])),
      groupOf(dart(0x9000_0000n, [0x10n, 0x20n])),
      groupOf(dart(0x7000_0000n, [0x10n, 0x30n])),
    ]);
    assert.is(one, other);
    assert.is.not(one, elsewhere);
  },
);

const apple = (loadedAt: number, offsets: readonly number[]) => {
  const hex = (value: number) => `0x${value.toString(16).padStart(16, '0')}`;
  return [
    'Incident Identifier: 11111111-2222-3333-4444-555555555555',
    'Exception Type:  EXC_CRASH (SIGABRT)',
    'Thread 0 Crashed:',
    ...offsets.map(
      (offset, at) => `${at}   MyApp                         ${hex(loadedAt + offset)} ${hex(loadedAt)} + ${offset}`,
    ),
    '',
    'Binary Images:',
    `       ${hex(loadedAt)} -        ${hex(loadedAt + 0xffff)} MyApp arm64  <3adb330a1c193b98a531d9e09faa3a15> /private/var/containers/Bundle/Application/${loadedAt}/MyApp.app/MyApp`,
  ].join('\n');
};

grouping('an Apple crash is one issue on every device, and another at another place', async () => {
  const [one, other, elsewhere] = await Promise.all([
    groupOf(apple(0x1_0000_0000, [0x10, 0x20])),
    groupOf(apple(0x1_2000_0000, [0x10, 0x20])),
    groupOf(apple(0x1_0000_0000, [0x10, 0x30])),
  ]);
  assert.is(one, other);
  assert.is.not(one, elsewhere);
});

grouping('crashes that merely end in the Java platform are not grouped as one issue', async () => {
  const platform = Array.from(
    { length: 9 },
    (_, at) => `\tat android.app.ActivityThread.step${at}(ActivityThread.java:${at + 1})`,
  );
  const trace = (own: string) =>
    [
      'java.lang.RuntimeException: Unable to start activity',
      ...platform,
      `\tat com.example.${own}.onCreate(${own}.java:7)`,
    ].join('\n');
  assert.is.not(await groupOf(trace('Cart')), await groupOf(trace('Login')));
  assert.is(await groupOf(trace('Cart')), await groupOf(trace('Cart')));
});

grouping.run();
