import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leavingRoom } from '../../src/sdk/core/outbox.js';
import { until } from '../support/until.js';
import { add, OK, outboxOn, ScriptedPlatform } from './scripted-platform.js';

const x = suite('operations that the outbox drops');

x('says that a proxy refused an item for its size, and shows the beginning of it', async () => {
  const platform = new ScriptedPlatform([
    { status: 413, text: '<!doctype html>' },
    { status: 413, body: { error: 'too_large' } },
  ]);
  const outbox = outboxOn(platform);
  add(outbox, `first ${'x'.repeat(50_000)}`);
  await outbox.flush();
  add(outbox, 'second');
  await outbox.flush();
  const [first, second] = platform.warnings as [string, string];
  assert.match(first, /accept \(proxy: 413\): .*first x/);
  assert.ok(first.length < 2_000);
  assert.match(second, /accept \(too_large\): .*second/);
  assert.is(outbox.length, 0);
});

x('what a closing page sent a day ago, also if another page took it over and could not send it', async () => {
  const platform = new ScriptedPlatform(['nothing']);
  const outbox = outboxOn(platform);
  add(outbox, 'a', 'b');
  outbox.flushLast(leavingRoom());
  add(outbox, 'after');
  const pages: ScriptedPlatform[] = [platform];
  for (const [hours, answer] of [
    [22, { status: 403 }],
    [24, OK],
  ] as const) {
    const later = new ScriptedPlatform([answer]);
    const left = pages.at(-1)?.store ?? later.store;
    for (const key of left.keys('')) later.store.set(key, left.get(key) ?? '');
    later.setClock(hours * 3_600_000);
    const next = outboxOn(later, `tab ${hours}`);
    for (const tab of next.otherTabs()) next.adopt(tab);
    await until('the answer', () => later.batches.length === 1);
    pages.push(later);
  }
  assert.equal(
    pages.map(({ batches }) => batches.flat()),
    [['a', 'b'], ['a', 'b', 'after'], ['after']],
  );
});

x.run();
