import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertNative } from '../../src/symbols/native/convert-native.js';
import { type ResolvedFrame, resolveFrames } from '../../src/symbols/native/resolve-frames.js';
import { type OpenTable, openTable } from '../../src/symbols/table/open-table.js';
import { sharedCorpus } from '../runner/shared-suite.js';

const FOLDER = join(sharedCorpus, 'fixtures/symbols/ios_dsym/crashprobe-release-arm64');
const SIGNALS = new Map([
  [4, 'SIGILL'],
  [10, 'SIGBUS'],
  [11, 'SIGSEGV'],
]);
const DOCUMENTED_BAR = 38;

/** The places documented for it require unwinding frameless code on the device; the event contains others. */
const OUT_OF_REACH = 'DWARF Unwinding.json';

interface CrashEvent {
  readonly debug_meta: { images: Array<{ image_addr: string; image_size: number; uuid: string }> };
  readonly exception: {
    values: Array<{
      mechanism?: { posix_signal?: { signal: number } };
      stacktrace?: { frames: Array<{ instruction_addr: string }>; registers?: { pc?: string } };
    }>;
  };
}

interface ExpectedCrashFrame {
  readonly exception: number;
  readonly frame: number;
  readonly frames: Array<{ function: string; file: string; line: number; column: number }>;
}

const crashes = suite('native crashes of the corpus');

function tables(): Map<string, OpenTable> {
  const found = new Map<string, OpenTable>();
  for (const bundle of readdirSync(join(FOLDER, 'dSYMs'))) {
    const folder = join(FOLDER, 'dSYMs', bundle, 'Contents', 'Resources', 'DWARF');
    for (const file of readdirSync(folder).filter((name) => !name.includes('.'))) {
      for (const image of convertNative(readFileSync(join(folder, file))).images) {
        found.set(image.debugId ?? '', openTable(image.table));
      }
    }
  }
  return found;
}

/** The resolved frames of each exception in the event's order, outermost first. */
function resolve(event: CrashEvent, byId: Map<string, OpenTable>): ResolvedFrame[][] {
  const images = event.debug_meta.images.map((image) => ({
    imageAddress: image.image_addr,
    imageSize: image.image_size,
    arch: 'arm64',
  }));
  return event.exception.values.map(({ mechanism, stacktrace }) => {
    const addresses = (stacktrace?.frames ?? []).map((frame) => frame.instruction_addr).reverse();
    const signal = SIGNALS.get(mechanism?.posix_signal?.signal ?? 0) ?? null;
    const cause = { signal, pc: stacktrace?.registers?.pc ?? null };
    const tableOf = (image: number) => byId.get(event.debug_meta.images[image]?.uuid ?? '') ?? null;
    return resolveFrames(addresses, images, cause, tableOf).reverse();
  });
}

crashes('real iOS crash events resolve to the frames published for them', () => {
  const byId = tables();
  const expected = JSON.parse(readFileSync(join(FOLDER, 'expected-frames.json'), 'utf8')) as {
    events: Record<string, ExpectedCrashFrame[]>;
  };
  const documented = new Set<string>();
  let agreed = 0;
  for (const [name, frames] of Object.entries(expected.events)) {
    const event = JSON.parse(readFileSync(join(FOLDER, 'events', name), 'utf8')) as CrashEvent;
    const resolved = resolve(event, byId);
    for (const wanted of frames) {
      const got = resolved[wanted.exception]?.[wanted.frame];
      const places = got?.frames.map(({ file, line }) => ({ file, line }));
      assert.equal(
        places,
        wanted.frames.map(({ file, line }) => ({ file, line })),
        `${name}, frame ${wanted.frame}`,
      );
      agreed++;
      for (const { function: fn, file, line } of got?.frames ?? []) {
        if (line > 0 && fn !== 'main' && name !== OUT_OF_REACH) documented.add(`${name} ${file}:${line}`);
      }
    }
  }
  console.log(`  ${agreed} CrashProbe frames agree; ${documented.size} of the 43 documented places are found`);
  assert.ok(documented.size >= DOCUMENTED_BAR);
});

crashes.run();
