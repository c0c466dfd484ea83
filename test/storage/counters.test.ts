import type { Redis } from 'ioredis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Counters, NamedCounters, ProcessCounters } from '../../src/storage/shared/counters.js';
import { RedisLink } from '../../src/storage/shared/redis.js';
import { RedisCounters } from '../../src/storage/shared/redis-counters.js';
import { machineHas } from '../runner/machine.js';
import { until } from '../support/until.js';
import { RedisServer } from './redis-server.js';

const clock = { time: Date.parse('2026-01-02T03:04:00Z'), now: () => new Date(clock.time) };

/** For tests of exact counts while Redis answers, on a machine that may be slow. */
const PATIENT_MS = 30_000;

/**
 * How many commands Redis receives while a counter is incremented this often; a connection also checks on its own
 * whether Redis is back.
 */
async function askedBy({ made, link }: { made: Counters; link: RedisLink }, times: number): Promise<number> {
  const { sendCommand } = link.client;
  let asked = 0;
  link.client.sendCommand = function counted(this: Redis, ...given) {
    if (given[0].name !== 'set') asked += 1;
    return sendCommand.apply(this, given);
  };
  for (let n = 0; n < times; n += 1) await made.increment('asked');
  link.client.sendCommand = sendCommand;
  return asked;
}

const here = suite('counters in the process');

here('start over with each wall-clock minute, and keep keys separate', async () => {
  const counters = new ProcessCounters(clock);
  clock.time = Date.parse('2026-01-02T03:04:59.999Z');
  assert.is(await counters.increment('a'), 1);
  assert.is(await counters.increment('a'), 2);
  assert.is(await counters.increment('__proto__'), 1);
  assert.is(await counters.read('a'), 2);
  clock.time += 1;
  assert.is(await counters.read('a'), 0);
  assert.is(await counters.increment('a'), 1);
});

here('stay small no matter how many keys clients invent', async () => {
  const counters = new ProcessCounters(clock);
  // Excludes what earlier test files left in this process.
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 400_000; n += 1) await counters.increment(`made up ${n}`);
  globalThis.gc?.();
  assert.ok(process.memoryUsage().heapUsed - before < 100_000_000);
  assert.is(await counters.read('made up 399999'), 1);
});

here('count long names separately without storing them', async () => {
  const counters = new ProcessCounters(clock);
  const before = process.memoryUsage().heapUsed;
  const long = 'x'.repeat(8_000);
  for (let n = 0; n < 20_000; n += 1) await counters.increment(`${long}${n}`);
  assert.ok(process.memoryUsage().heapUsed - before < 60_000_000);
  assert.is(await counters.increment(`${long}7`), 2);
  counters.raise(`${long}8`, 5);
  assert.is(await counters.read(`${long}8`), 5);
  assert.is(await counters.read(`${long}9`), 1);
});

here.run();

if (machineHas('redis-server')) {
  const x = suite('counters in Redis');
  let server: RedisServer;
  const links: RedisLink[] = [];
  const changes: boolean[] = [];

  const counters = async (patienceMs = 50) => {
    const link = new RedisLink({ url: server.url, patienceMs, onChange: (failure) => changes.push(failure === null) });
    links.push(link);
    const made = new NamedCounters(new RedisCounters(link, clock), 'the secret of the installation');
    await until('the link', () => link.client.status === 'ready' && link.answering);
    return { made, link };
  };

  x.before(async () => {
    server = await RedisServer.start();
  });
  x.after(async () => {
    for (const link of links) link.close();
    await server.close();
  });
  x.before.each(() => {
    clock.time += 60_000;
  });

  x('admit exactly the limit across processes, and share it minute by minute', async () => {
    const [a, b] = [await counters(PATIENT_MS), await counters(PATIENT_MS)];
    const counts = await Promise.all(Array.from({ length: 2000 }, (_, n) => (n % 2 ? a : b).made.increment('one key')));
    assert.is(counts.filter((count) => count <= 500).length, 500);
    assert.equal(
      [...counts].sort((p, q) => p - q),
      Array.from({ length: 2000 }, (_, n) => n + 1),
    );
    assert.is(await a.made.read('one key'), 2000);
    clock.time += 60_000;
    assert.is(await b.made.read('one key'), 0);
    assert.is(await b.made.increment('one key'), 1);
  });

  x('use one cluster slot per key, and expire', async () => {
    const { made, link } = await counters();
    await made.increment('key {with} braces');
    await made.increment('x'.repeat(5000));
    const names = await link.client.keys('quarterdeck:count:*');
    assert.ok(names.every((name) => /^quarterdeck:count:\{[\w-]{43}\}:\d+$/.test(name)));
    for (const name of names) assert.ok((await link.client.pttl(name)) > 60_000);
  });

  x('continue without Redis when it is killed, stop asking it, and return to it on their own', async () => {
    const { made, link } = await counters();
    for (let n = 1; n <= 5; n += 1) assert.is(await made.increment('killed'), n);
    await server.kill();
    assert.is(await made.increment('killed'), 6);
    assert.is(link.answering, false);
    assert.is(await askedBy({ made, link }, 50), 0);
    await server.restart();
    await until('the link', () => link.answering);
    assert.is(await made.increment('killed'), 7);
  });

  x('wait for a frozen Redis once, then stop asking it', async () => {
    const { made, link } = await counters();
    assert.is(await made.increment('frozen'), 1);
    server.signal('SIGSTOP');
    assert.is(await made.increment('frozen'), 2);
    assert.is(link.answering, false);
    assert.is(await askedBy({ made, link }, 500), 0);
    server.signal('SIGCONT');
    await until('the link', () => link.answering);
    assert.is(await made.increment('frozen'), 3);
  });

  x('stop asking a Redis that is full, and do not return to it before it takes writes again', async () => {
    const { made, link } = await counters();
    assert.is(await made.increment('full'), 1);
    const before = changes.length;
    await server.fill(true);
    assert.is(await made.increment('full'), 2);
    // Whatever the connection does to find out whether Redis is back.
    let asked = 0;
    const { sendCommand } = link.client;
    link.client.sendCommand = function counted(this: Redis, ...given) {
      asked += 1;
      return sendCommand.apply(this, given);
    };
    await until('attempts', () => asked >= 3 || changes.length > before + 1);
    assert.equal(changes.slice(before), [false]);
    assert.is(await made.increment('full'), 3);
    await server.fill(false);
    await until('the link', () => link.answering);
    assert.is(await made.increment('full'), 4);
    assert.equal(changes.slice(before), [false, true]);
  });

  x('continue without Redis from the total of all processes', async () => {
    const [a, b] = [await counters(), await counters()];
    for (let n = 0; n < 5; n += 1) {
      await a.made.increment('shared before');
      await b.made.increment('shared before');
    }
    await a.made.increment('shared before');
    await server.kill();
    assert.is(await a.made.increment('shared before'), 12);
    await server.restart();
    await until('both links', () => a.link.answering && b.link.answering);
  });

  x('never drop below their own share when Redis loses its data', async () => {
    const { made } = await counters();
    for (let n = 1; n <= 5; n += 1) await made.increment('flushed');
    await server.flush();
    assert.is(await made.increment('flushed'), 6);
  });

  x('keep a common count when Redis loses its data: the first process to ask restores it', async () => {
    const [one, other] = [await counters(PATIENT_MS), await counters(PATIENT_MS)];
    for (let n = 1; n <= 40; n += 1) await (n % 2 ? one : other).made.increment('shared');
    await server.flush();
    const after = [];
    for (const { made } of [other, one, other, one]) after.push(await made.increment('shared'));
    assert.equal(after, [41, 42, 43, 44]);
  });

  x('report each change once', () => {
    assert.ok(changes.length > 0);
    assert.is(changes.at(-1), true);
  });

  x.run();
}
