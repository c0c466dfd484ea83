import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resolveFrames } from '../../src/symbols/native/resolve-frames.js';
import type { OpenTable } from '../../src/symbols/table/open-table.js';

const crashes = suite('native crashes');

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

crashes('callers are looked up one instruction before their return address, the top frame at its own address', () => {
  assert.equal(lookedUp(['0x10040', '0x10080'], 'arm64'), [0x40, 0x7c]);
  assert.equal(lookedUp(['0x10040', '0x10080'], 'x86_64'), [0x40, 0x7f]);
});

crashes('the Thumb bit is not part of an address', () => {
  assert.equal(lookedUp(['0x10041', '0x10081'], 'armv7'), [0x40, 0x7e]);
  assert.equal(lookedUp(['0x10041'], 'armv7', { signal: 'SIGSEGV', pc: '0x10040' }), [0x40]);
  assert.equal(lookedUp(['0x10040'], 'armv7', { signal: 'SIGSEGV', pc: '0x10041' }), [0x40]);
});

crashes('after a fault a top frame that is not at the program counter is a caller', () => {
  assert.equal(lookedUp(['0x10040'], 'arm64', { signal: 'SIGSEGV', pc: '0x666' }), [0x3c]);
  assert.equal(lookedUp(['0x10040'], 'arm64', { signal: 'SIGSEGV', pc: '0x10040' }), [0x40]);
  assert.equal(lookedUp(['0x10040'], 'arm64', { signal: 'SIGABRT', pc: '0x666' }), [0x40]);
});

crashes('signed and tagged arm64 pointers are looked up without signature and tag', () => {
  assert.equal(lookedUp(['0xb400000000010040'], 'arm64'), [0x40]);
  assert.equal(lookedUp(['0x1a2b3c8000010040'], 'arm64e'), [0x40]);
});

crashes('each frame says why it stays unresolved', () => {
  const statuses = resolveFrames(['nonsense', null, '0x999999', '0x10040'], ONE_IMAGE, NO_CAUSE, () => null).map(
    ({ status }) => status,
  );
  assert.equal(statuses, ['malformed', 'malformed', 'unknown_image', 'missing_symbol']);
});

crashes('an image without a size extends to the next one', () => {
  const images = [
    { imageAddress: '0x20000', imageSize: null, arch: 'arm64' },
    { imageAddress: '0x10000', imageSize: null, arch: 'arm64' },
  ];
  const found = resolveFrames(['0x1fff0', '0x2fff0', '0x100'], images, NO_CAUSE, () => null).map(({ image }) => image);
  assert.equal(found, [1, 0, -1]);
});

crashes.run();
