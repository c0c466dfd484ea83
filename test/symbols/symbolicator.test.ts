import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packFrames, unpackFrames } from '../../src/symbols/symbolication/frame-text.js';
import { givenUp } from '../../src/symbols/symbolication/given-up.js';
import type { TableProvider } from '../../src/symbols/symbolication/symbolication-protocol.js';
import { SymbolicationFailed, Symbolicator } from '../../src/symbols/symbolication/symbolicator.js';

/** Longer than a crash may take to be returned together with the next. */
const SLOW_MS = 400;

const x = suite<{ symbolicator: Symbolicator }>('the thread that symbolicates');

x.before.each((context) => {
  context.symbolicator = new Symbolicator();
});
x.after.each(({ symbolicator }) => symbolicator.close());

const crash = (name: string) => ({
  platform: 'javascript',
  release: null,
  payload: JSON.stringify({
    exception: { type: name, value: null },
    message: null,
    frames: [{ function: 'f', file: `/${name}.js`, line: 1, column: 1 }],
    images: [],
    rawStacktrace: null,
    programCounter: null,
  }),
  settled: null,
});
const CRASHES = ['a', 'b', 'c', 'd'].map(crash);

const exceptionTypes = (results: Awaited<ReturnType<Symbolicator['symbolicate']>>) =>
  results.map((result) => (result instanceof SymbolicationFailed ? result.message : result.exceptionType));

const slow: TableProvider = {
  find: async ({ format }) => {
    if (format === 'source_map') await sleep(SLOW_MS);
    return null;
  },
  load: async () => null,
};

x(
  'slow crashes beyond the time limit are left for later, and all are done without a limit',
  async ({ symbolicator }) => {
    assert.equal(exceptionTypes(await symbolicator.symbolicate(CRASHES, slow, performance.now())), ['a']);
    const some = await symbolicator.symbolicate(CRASHES, slow, performance.now() + 1.5 * SLOW_MS);
    assert.ok(some.length < CRASHES.length, `${some.length}`);
    const all = await symbolicator.symbolicate(CRASHES, slow, Number.POSITIVE_INFINITY);
    assert.equal(exceptionTypes(all), ['a', 'b', 'c', 'd']);
  },
);

x('a batch that waited past its time limit still completes one crash', async ({ symbolicator }) => {
  const until = performance.now() + 1.5 * SLOW_MS;
  const both = [CRASHES, CRASHES.toReversed()].map((crashes) => symbolicator.symbolicate(crashes, slow, until));
  const [, second = []] = await Promise.all(both);
  assert.equal(exceptionTypes(second), ['d']);
});

x('waiting for a slow store does not count as time that a crash takes', async () => {
  const limited = new Symbolicator(10 * SLOW_MS);
  const stalled: TableProvider = {
    find: async () => ({ id: 't', dartSections: null }),
    load: async () => {
      await sleep(11 * SLOW_MS);
      return null;
    },
  };
  const [result] = await limited.symbolicate([crash('a')], stalled, Number.POSITIVE_INFINITY);
  assert.is(result instanceof SymbolicationFailed ? result.message : result?.exceptionType, 'a');
  await limited.close();
});

x('a crash that cannot be read again keeps the frames it had', () => {
  const { settled: _, ...reported } = crash('a');
  const known = { file: 'src/a.ts', line: 7, status: 'symbolicated', inlined: false, reported: 0 };
  const frames = packFrames(JSON.stringify([known])) as Uint8Array;
  const settled = { exceptionType: 'Known', frames, stacktrace: 'at a.ts' };
  const again = givenUp({ ...reported, settled }, 'too long');
  assert.equal([again.status, again.exceptionType, again.stacktrace], ['symbolicated', 'Known', 'at a.ts']);
  assert.match(unpackFrames(again.frames), '"file":"src/a.ts","line":7');
  assert.match(unpackFrames(givenUp(crash('a'), 'too long').frames), '"reason":"too long"');
});

x.run();
