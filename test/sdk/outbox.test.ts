import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Operation } from '../../src/sdk/core/operations.js';
import { leavingRoom } from '../../src/sdk/core/outbox.js';
import { until } from '../support/until.js';
import { add, event, OK, outboxOn, type Scripted, ScriptedPlatform } from './scripted-platform.js';

const x = suite('the outbox');

x('sends after five seconds, or at once when twenty wait', async () => {
  const platform = new ScriptedPlatform([OK]);
  const outbox = outboxOn(platform);
  add(outbox, 'a', 'b');
  await platform.pass(4_999);
  assert.equal(platform.batches, []);
  await platform.pass(1);
  assert.equal(platform.batches, [['a', 'b']]);
  add(outbox, ...Array.from({ length: 20 }, (_, n) => `e${n}`));
  await until('the full batch', () => platform.batches.length === 2);
  assert.equal([outbox.length, platform.store.keys('')], [0, []]);
});

x('sends what arrives just as the last batch is taken', async () => {
  const platform = new ScriptedPlatform([OK]);
  const more = (): void => {
    if (platform.batches.length > 1) return;
    add(outbox, 'b');
    void outbox.flush();
  };
  const outbox = outboxOn(platform, 'tab', { onTaken: () => queueMicrotask(more) });
  add(outbox, 'a');
  await outbox.flush();
  await platform.pass(0);
  assert.equal(platform.batches, [['a'], ['b']]);
});

x('retries with growing pauses while the server is away, and obeys Retry-After', async () => {
  const platform = new ScriptedPlatform(['no answer', { status: 503 }, { status: 429, retryAfter: '60' }, OK]);
  const outbox = outboxOn(platform);
  add(outbox, 'a');
  await outbox.flush();
  await platform.pass(999);
  assert.is(platform.batches.length, 1);
  await platform.pass(1);
  assert.is(platform.batches.length, 2);
  await platform.pass(2_000);
  assert.is(platform.batches.length, 3);
  add(outbox, 'b');
  await platform.pass(59_000);
  assert.is(platform.batches.length, 3);
  await platform.pass(1_000);
  assert.equal([platform.batches.slice(3).flat(), outbox.length], [['a', 'b'], 0]);
});

x('halves the batch after no answer, in case its size is the reason, and restores it after an answer', async () => {
  const fits = (names: readonly string[]): Scripted => (names.length > 2 ? { status: 504 } : OK);
  const platform = new ScriptedPlatform(['no answer', fits]);
  const outbox = outboxOn(platform);
  add(outbox, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  await outbox.flush();
  for (let wait = 0; outbox.length > 0 && wait < 20; wait += 1) await platform.pass(10_000);
  assert.equal(
    platform.batches.map((names) => names.length),
    [8, 4, 2, 6, 3, 2, 4, 2, 2],
  );
});

x(
  'retries when a proxy got no answer from the server, and keeps everything when the server itself failed',
  async () => {
    const answers = [{ status: 502 }, { status: 504 }, { status: 500, body: { error: 'internal_error' } }, OK];
    const platform = new ScriptedPlatform(answers);
    const outbox = outboxOn(platform);
    add(outbox, 'a');
    await outbox.flush();
    for (const pause of [1_000, 2_000, 86_400_000]) await platform.pass(pause);
    outbox.reachable();
    assert.equal([outbox.length, platform.batches.length], [1, 3]);
    assert.match(platform.warnings.join(), 'sending is paused: internal_error');
  },
);

x('of a rarely started process checks after a while whether the server accepts anything', async () => {
  for (const status of [401, 403, 500, 501]) {
    const platform = new ScriptedPlatform([{ status }, OK]);
    const outbox = outboxOn(platform, 'tab', { restSeconds: 300 });
    add(outbox, 'a');
    await outbox.flush();
    outbox.reachable();
    await platform.pass(299_999);
    assert.is(platform.batches.length, 1);
    await platform.pass(1);
    assert.equal([outbox.length, platform.batches.length], [0, 2]);
  }
});

x('ends its own pause when the server is back, but none that the server asked for', async () => {
  const platform = new ScriptedPlatform(['no answer', { status: 429 }, OK]);
  const outbox = outboxOn(platform);
  add(outbox, 'a');
  await outbox.flush();
  outbox.reachable();
  await until('another try', () => platform.batches.length === 2);
  outbox.reachable();
  await platform.pass(500);
  assert.is(platform.batches.length, 2);
  await platform.pass(1_500);
  assert.equal([platform.batches.length, outbox.length], [3, 0]);
});

x('pauses until the quota resets', async () => {
  const quota = { error: 'quota_exceeded', resets_at: '2026-07-01T00:00:00.000Z' };
  const platform = new ScriptedPlatform([{ status: 429, body: quota }, OK]);
  const outbox = outboxOn(platform);
  add(outbox, 'a');
  await outbox.flush();
  await platform.pass(29 * 86_400_000);
  assert.is(platform.batches.length, 1);
  await platform.pass(86_400_000);
  assert.is(platform.batches.length, 2);
});

x('finds what the server will never accept, by index or by halving, and sends the rest in order', async () => {
  const named = (names: readonly string[]): Scripted => {
    const index = names.indexOf('bad');
    return index < 0 ? OK : { status: 400, body: { error: 'Invalid track payload', index } };
  };
  const halved = (names: readonly string[]): Scripted => (names.includes('bad') ? { status: 413 } : OK);
  for (const answer of [named, halved]) {
    const platform = new ScriptedPlatform([answer]);
    const taken: string[] = [];
    const outbox = outboxOn(platform);
    add(outbox, 'a', 'b', 'bad', 'c', 'd');
    await outbox.flush();
    for (const names of platform.batches) if (!names.includes('bad')) taken.push(...names);
    assert.equal(taken, ['a', 'b', 'c', 'd']);
    assert.is(outbox.length, 0);
    assert.match(platform.warnings.join(), 'dropped what the server will never accept');
  }
});

x('loses nothing to answers from others: a proxy without the server, a sign-in page', async () => {
  const page = (status: number): Scripted => ({ status, text: '<!doctype html>' });
  const pages = [200, 400, 401, 403, 404, 500, 511].map(page);
  const gateway = { status: 403, body: { message: 'Forbidden' } };
  for (const answer of [...pages, gateway, ...[404, 405, 408, 425].map((status) => ({ status }))]) {
    const platform = new ScriptedPlatform([answer, answer, OK]);
    const outbox = outboxOn(platform);
    add(outbox, 'a', 'b', 'c');
    await outbox.flush();
    assert.equal([outbox.length, platform.batches.length], [3, 1], JSON.stringify(answer));
    await platform.pass(999);
    assert.is(platform.batches.length, 1);
    await platform.pass(1);
    await platform.pass(2_000);
    await until('all of them', () => outbox.length === 0);
    assert.equal(platform.batches.slice(2).flat(), ['a', 'b', 'c']);
    assert.equal(platform.warnings, []);
  }
  const left = new ScriptedPlatform([page(200), OK]);
  const outbox = outboxOn(left);
  add(outbox, 'a');
  outbox.flushLast(leavingRoom());
  await outbox.flush();
  assert.equal([left.batches, outbox.length], [[['a'], ['a']], 0]);
});

x('keeps everything for the next start when the key is refused', async () => {
  const platform = new ScriptedPlatform([{ status: 401, body: { error: 'Invalid API key' } }, OK]);
  const outbox = outboxOn(platform);
  add(outbox, 'a');
  await outbox.flush();
  await platform.pass(3_600_000);
  assert.equal([outbox.length, platform.batches.length], [1, 1]);
  const next = outboxOn(platform, 'next');
  assert.equal(next.otherTabs(), ['tab']);
  next.adopt('tab');
  await until('what waited', () => next.length === 0);
  assert.equal(platform.batches.at(-1), ['a']);
  assert.equal(platform.store.keys(''), []);
});

x('resends what left with its page, unless the server may have forgotten it', async () => {
  for (const [hours, expected] of [
    [22, ['a', 'b', 'after']],
    [24, ['after']],
    [-24, ['after']],
  ] as const) {
    const platform = new ScriptedPlatform(['nothing', OK]);
    const outbox = outboxOn(platform);
    add(outbox, 'a', 'b');
    outbox.flushLast(leavingRoom());
    add(outbox, 'after');
    const later = new ScriptedPlatform([OK]);
    for (const key of platform.store.keys('')) later.store.set(key, platform.store.get(key) ?? '');
    later.setClock(hours * 3_600_000);
    const next = outboxOn(later, 'next');
    next.adopt('tab');
    await until('what was left', () => next.length === 0);
    assert.equal(later.batches.flat(), expected);
  }
});

x('sends nothing twice while it is on its way with its page', async () => {
  const platform = new ScriptedPlatform([OK]);
  const outbox = outboxOn(platform);
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const request = platform.request.bind(platform);
  platform.request = async (url, sent) => {
    const answer = await request(url, sent);
    await arrived;
    return answer;
  };
  add(outbox, 'a');
  outbox.flushLast(leavingRoom());
  const flushed = outbox.flush();
  await platform.pass(0);
  assert.equal(platform.batches, [['a']]);
  add(outbox, 'b');
  arrive();
  await flushed;
  await until('all of it', () => outbox.length === 0);
  assert.equal(platform.batches, [['a'], ['b']]);
});

x('does not send what another tab has taken over meanwhile', async () => {
  const platform = new ScriptedPlatform(['no answer', OK]);
  const outbox = outboxOn(platform);
  add(outbox, 'a', 'b');
  await outbox.flush();
  const other = outboxOn(platform, 'other');
  other.adopt('tab');
  add(outbox, 'c');
  outbox.lookAgain();
  await platform.pass(1_000);
  await until('all of it', () => outbox.length + other.length === 0);
  assert.equal(platform.batches.flat().sort(), ['a', 'a', 'b', 'b', 'c']);
});

x('drops the oldest when too many items wait', () => {
  const platform = new ScriptedPlatform(['no answer']);
  const outbox = outboxOn(platform);
  add(outbox, ...Array.from({ length: 101 }, (_, n) => `e${n}`));
  assert.equal([outbox.length, platform.store.keys('').length], [100, 100]);
  assert.match(platform.warnings.join(), 'the oldest is dropped');
});

x('drops the oldest when waiting items exceed the memory limit, however few', async () => {
  const platform = new ScriptedPlatform(['no answer', OK]);
  const outbox = outboxOn(platform);
  // Each takes six characters in JSON.
  const properties = { text: '\u0001'.repeat(400_000) };
  for (let n = 0; n < 30; n += 1) {
    const { type, payload } = event(`e${n}`) as Extract<Operation, { type: 'track' }>;
    outbox.add({ type, payload: { ...payload, properties } });
  }
  assert.is(outbox.length, 20);
  const kept = platform.store.keys('').map((key) => platform.store.get(key));
  assert.is(kept.join('').length < 50_000_000, true);
  await outbox.flush();
  await platform.pass(2_000);
  await until('the rest', () => outbox.length === 0);
  assert.is(platform.batches.at(-1)?.at(-1), 'e29');
  for (let n = 0; n < 30; n += 1) add(outbox, `small ${n}`);
  assert.is(outbox.length, 30);
});

x('drops the oldest even when a closed tab left too much', async () => {
  const platform = new ScriptedPlatform(['no answer', OK]);
  const offline = new ScriptedPlatform(['no answer']);
  add(outboxOn(offline, 'closed'), ...Array.from({ length: 60 }, (_, n) => `left ${n}`));
  const outbox = outboxOn(platform);
  add(outbox, ...Array.from({ length: 60 }, (_, n) => `own ${n}`));
  for (const key of offline.store.keys('')) platform.store.set(key, offline.store.get(key) ?? '');
  outbox.adopt('closed');
  assert.equal([outbox.length, platform.store.keys('').length], [100, 100]);
  await platform.pass(0);
  await platform.pass(1_000);
  await until('all of it', () => outbox.length === 0);
  assert.equal([platform.batches[1]?.[0], platform.batches.at(-1)?.at(-1)], ['left 20', 'own 59']);
});

x('keeps indefinitely what is known not to have arrived when its page closed', async () => {
  const platform = new ScriptedPlatform(['no answer', OK]);
  const outbox = outboxOn(platform);
  add(outbox, 'a', 'b');
  outbox.flushLast(leavingRoom());
  await platform.pass(1);
  await platform.pass(48 * 3_600_000);
  const next = outboxOn(platform, 'next');
  next.adopt('tab');
  await until('what was left', () => next.length === 0);
  assert.equal(platform.batches.at(-1), ['a', 'b']);
});

x('sends what it took over before its own, even when that is taken over again', async () => {
  const platform = new ScriptedPlatform([{ status: 403 }, OK]);
  const outbox = outboxOn(platform);
  add(outbox, 'a', 'b');
  const refused = new ScriptedPlatform([{ status: 403 }]);
  for (const key of platform.store.keys('')) refused.store.set(key, platform.store.get(key) ?? '');
  const second = outboxOn(refused, 'second');
  add(second, 'c');
  second.adopt('tab');
  await until('the refusal', () => refused.batches.length === 1);
  const last = new ScriptedPlatform([OK]);
  for (const key of refused.store.keys('')) last.store.set(key, refused.store.get(key) ?? '');
  const third = outboxOn(last, 'third');
  third.adopt('second');
  await until('all of it', () => third.length === 0);
  assert.equal(last.batches.flat(), ['a', 'b', 'c']);
});

x('waits no longer than intended when the clock is set back', async () => {
  const platform = new ScriptedPlatform(['no answer', OK]);
  const outbox = outboxOn(platform);
  add(outbox, 'a');
  await outbox.flush();
  platform.setClock(-86_400_000);
  add(outbox, 'b');
  await outbox.flush();
  assert.is(platform.batches.length, 1, 'the pause is in force');
  await platform.pass(1_000);
  assert.equal([platform.batches.slice(1).flat(), outbox.length], [['a', 'b'], 0]);
});

x('halves the batch when the server names an invalid index', async () => {
  const platform = new ScriptedPlatform([
    (names) => (names.includes('bad') ? { status: 400, body: { error: 'bad', index: 77 } } : OK),
  ]);
  const outbox = outboxOn(platform);
  add(outbox, 'a', 'bad', 'c');
  await outbox.flush();
  assert.equal(platform.batches.filter((names) => !names.includes('bad')).flat(), ['a', 'c']);
});

x('sends what was passed in, even if the object changes afterwards', async () => {
  const platform = new ScriptedPlatform([OK]);
  const outbox = outboxOn(platform);
  const said = event('before') as { payload: { event_name: string } };
  outbox.add(said as Operation);
  said.payload.event_name = 'after';
  await outbox.flush();
  assert.equal(platform.batches, [['before']]);
});

x('a closing page sends one piece of at most 60 kB, and the next when the server has it', async () => {
  for (const letter of ['x', 'я']) {
    const platform = new ScriptedPlatform([OK]);
    const sizes: number[] = [];
    let open = 0;
    const request = platform.request.bind(platform);
    platform.request = async (url, sent) => {
      assert.ok(sent.keepalive && url.includes('api_key=sk_live_1'));
      open += 1;
      assert.is(open, 1, 'browsers add up everything in flight');
      sizes.push(Buffer.byteLength(String(sent.body)));
      const answer = await request(url, sent);
      open -= 1;
      return answer;
    };
    const outbox = outboxOn(platform);
    add(outbox, ...Array.from({ length: 19 }, (_, n) => `${n}${letter.repeat(10_000)}`));
    outbox.flushLast(leavingRoom());
    await until('all of it', () => outbox.length === 0);
    assert.ok(sizes.length >= 4 && sizes.every((size) => size <= 60_000), sizes.join());
    const numbers = platform.batches.flat().map((name) => Number.parseInt(name, 10));
    assert.equal(
      numbers,
      Array.from({ length: 19 }, (_, n) => n),
    );
  }
});

x("several outboxes of a closing page together stay within the browser's limit", async () => {
  const platform = new ScriptedPlatform(['nothing']);
  const sizes: number[] = [];
  const request = platform.request.bind(platform);
  platform.request = (url, sent) => {
    sizes.push(Buffer.byteLength(String(sent.body)));
    return request(url, sent);
  };
  const [one, other, third] = ['one', 'other', 'third'].map((tab) => outboxOn(platform, tab));
  const room = leavingRoom();
  for (const outbox of [one, other, third]) {
    if (outbox) add(outbox, ...Array.from({ length: 4 }, (_, n) => `${n}${'x'.repeat(4_500)}`));
    outbox?.flushLast(room);
  }
  const sum = sizes.reduce((sum, size) => sum + size, 0);
  assert.equal(
    platform.batches.map((names) => names.length),
    [4, 2],
  );
  assert.ok(sum > 50_000 && sum <= 60_000, sizes.join());
});

x.run();
