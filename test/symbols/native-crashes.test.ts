import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertNative } from '../../src/symbols/native/convert-native.js';
import { type ResolvedFrame, resolveFrames } from '../../src/symbols/native/resolve-frames.js';
import { type OpenTable, openTable } from '../../src/symbols/table/open-table.js';

const CRASHPROBE = join(process.cwd(), '..', 'shared', 'fixtures', 'symbols', 'ios_dsym', 'crashprobe-release-arm64');
const SIGNALS = new Map([
  [4, 'SIGILL'],
  [10, 'SIGBUS'],
  [11, 'SIGSEGV'],
]);
const DOCUMENTED_BAR = 38;

/** Its documented places need the unwinding of frameless code on the device; the event holds others. */
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

const crashes = suite('native crashes');

function tables(): Map<string, OpenTable> {
  const found = new Map<string, OpenTable>();
  for (const bundle of readdirSync(join(CRASHPROBE, 'dSYMs'))) {
    const folder = join(CRASHPROBE, 'dSYMs', bundle, 'Contents', 'Resources', 'DWARF');
    for (const file of readdirSync(folder).filter((name) => !name.includes('.'))) {
      for (const image of convertNative(readFileSync(join(folder, file))).images) {
        found.set(image.debugId ?? '', openTable(image.table));
      }
    }
  }
  return found;
}

/** The resolved frames of each exception, in the event's order: outermost first. */
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

if (existsSync(CRASHPROBE)) {
  crashes('frames of real iOS crash events are those that were published for them', () => {
    const byId = tables();
    const expected = JSON.parse(readFileSync(join(CRASHPROBE, 'expected-frames.json'), 'utf8')) as {
      events: Record<string, ExpectedCrashFrame[]>;
    };
    const documented = new Set<string>();
    let agreed = 0;
    for (const [name, frames] of Object.entries(expected.events)) {
      const event = JSON.parse(readFileSync(join(CRASHPROBE, 'events', name), 'utf8')) as CrashEvent;
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
}

const ONE_IMAGE = [{ imageAddress: '0x10000', imageSize: 0x1000, arch: 'arm64' }];
const NO_CAUSE = { signal: null, pc: null };

function tableAnswering(lookups: number[]): OpenTable {
  return {
    imageBase: 0x100000000,
    hasDebugInfo: true,
    lookup(address) {
      lookups.push(address);
      return [{ function: 'f', file: 'f.c', line: 1, inlined: false }];
    },
  };
}

function lookedUp(
  addresses: Array<string | null>,
  arch: string,
  cause = NO_CAUSE as { signal: string | null; pc: string | null },
): number[] {
  const lookups: number[] = [];
  const images = [{ imageAddress: '0x10000', imageSize: 0x1000, arch }];
  resolveFrames(addresses, images, cause, () => tableAnswering(lookups));
  return lookups.map((address) => address - 0x100000000);
}

crashes('callers are looked up one instruction before their return address, the top frame where it stands', () => {
  assert.equal(lookedUp(['0x10040', '0x10080'], 'arm64'), [0x40, 0x7c]);
  assert.equal(lookedUp(['0x10040', '0x10080'], 'x86_64'), [0x40, 0x7f]);
});

crashes('the Thumb bit is no part of an address', () => {
  assert.equal(lookedUp(['0x10041', '0x10081'], 'armv7'), [0x40, 0x7e]);
});

crashes('after a fault a top frame that is not at the program counter is a caller', () => {
  assert.equal(lookedUp(['0x10040'], 'arm64', { signal: 'SIGSEGV', pc: '0x666' }), [0x3c]);
  assert.equal(lookedUp(['0x10040'], 'arm64', { signal: 'SIGSEGV', pc: '0x10040' }), [0x40]);
  assert.equal(lookedUp(['0x10040'], 'arm64', { signal: 'SIGABRT', pc: '0x666' }), [0x40]);
});

crashes('signed and tagged arm64 pointers are looked up without their marks', () => {
  assert.equal(lookedUp(['0xb400000000010040'], 'arm64'), [0x40]);
  assert.equal(lookedUp(['0x1a2b3c8000010040'], 'arm64e'), [0x40]);
});

crashes('each frame says why it stays unresolved', () => {
  const statuses = resolveFrames(['nonsense', null, '0x999999', '0x10040'], ONE_IMAGE, NO_CAUSE, () => null).map(
    ({ status }) => status,
  );
  assert.equal(statuses, ['malformed', 'malformed', 'unknown_image', 'missing_symbol']);
});

crashes('an image without a size reaches up to the next one', () => {
  const images = [
    { imageAddress: '0x20000', imageSize: null, arch: 'arm64' },
    { imageAddress: '0x10000', imageSize: null, arch: 'arm64' },
  ];
  const found = resolveFrames(['0x1fff0', '0x2fff0', '0x100'], images, NO_CAUSE, () => null).map(({ image }) => image);
  assert.equal(found, [1, 0, -1]);
});

crashes.run();
