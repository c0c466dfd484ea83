import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { add, outboxOn, ScriptedPlatform } from './scripted-platform.js';

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

x.run();
