import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Spread } from '../../../src/modules/handshake/streams/spread.js';
import { until } from '../../support/until.js';

const x = suite('spread notices');

const listeners = (count: number) => new Set(Array.from({ length: count }, (_, index) => index));

x('without a window all are notified at once', () => {
  const told: number[] = [];
  new Spread(listeners(1_000), (one) => told.push(one)).run(0);
  assert.is(told.length, 1_000);
});

x('a window notifies a few at a time, each once, and all before it ends', async () => {
  const told: number[] = [];
  let now = 0;
  new Spread(
    listeners(1_000),
    (one) => told.push(one),
    () => now,
  ).run(200);
  assert.is(told.length, 100);
  now = 100;
  await until('those of half the window', () => told.length === 600);
  now = 180;
  await until('all', () => told.length === 1_000);
  assert.is(new Set(told).size, 1_000);
});

x('an urgent run overtakes a slow one', async () => {
  const told: number[] = [];
  let now = 0;
  const spread = new Spread(
    listeners(1_000),
    (one) => told.push(one),
    () => now,
  );
  spread.run(60_000);
  assert.is(told.length, 1);
  spread.run(100);
  assert.is(told.length, 201);
  now = 80;
  await until('all', () => told.length >= 1_000);
  assert.is(new Set(told).size, 1_000);
});

x('endless runs do not hold up others', async () => {
  const told = new Set<number>();
  let now = 0;
  const spread = new Spread(
    listeners(1_000),
    (one) => told.add(one),
    () => now,
  );
  for (; now <= 200; now += 10) spread.run(200);
  spread.stop();
  assert.is(told.size, 1_000);
});

x('closed listeners get no notice, and a stopped spread sends none', async () => {
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
