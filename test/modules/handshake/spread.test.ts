import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Spread } from '../../../src/modules/handshake/streams/spread.js';
import { until } from '../../support/until.js';

const x = suite('spread notices');

const listeners = (count: number) => new Set(Array.from({ length: count }, (_, index) => index));

x('without a window all are told at once', () => {
  const told: number[] = [];
  new Spread(listeners(1_000), (one) => told.push(one)).run(0);
  assert.is(told.length, 1_000);
});

x('a window has a few told at a time, each once, and all of them before its end', async () => {
  const told: { one: number; at: number }[] = [];
  const since = performance.now();
  new Spread(listeners(1_000), (one) => told.push({ one, at: performance.now() - since })).run(200);
  assert.ok(told.length <= 110, `${told.length} at once`);
  await until('all', () => told.length === 1_000);
  assert.is(new Set(told.map(({ one }) => one)).size, 1_000);
  // Timers of a busy machine are late.
  assert.ok((told.at(-1)?.at ?? 0) < 1_000);
});

x('an urgent run overtakes a slow one', async () => {
  const told: number[] = [];
  const spread = new Spread(listeners(1_000), (one) => told.push(one));
  spread.run(60_000);
  assert.ok(told.length < 10);
  spread.run(100);
  await until('all', () => new Set(told).size === 1_000, 2_000);
});

x('runs without end keep nobody waiting', async () => {
  const told = new Set<number>();
  const spread = new Spread(listeners(1_000), (one) => told.add(one));
  spread.run(200);
  const again = setInterval(() => spread.run(200), 30);
  try {
    await until('all', () => told.size === 1_000, 2_000);
  } finally {
    clearInterval(again);
    spread.stop();
  }
});

x('who has left is not told, and a stopped one tells nobody', async () => {
  const here = listeners(100);
  const told: number[] = [];
  const spread = new Spread(here, (one) => told.push(one));
  spread.run(60_000);
  for (const one of [...here].slice(50)) here.delete(one);
  spread.run(0);
  assert.ok(told.every((one) => one < 50));
  spread.run(60_000);
  spread.stop();
  const { length } = told;
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.is(told.length, length);
});

x.run();
