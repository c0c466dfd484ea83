import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AnswerCache } from '../../../src/modules/handshake/answer-cache.js';
import { compileSnapshot } from '../../../src/modules/handshake/snapshot.js';

const x = suite('answer cache');

const snapshot = () =>
  compileSnapshot({
    projectId: 'p',
    environment: 'live',
    disabled: [],
    flags: [],
    items: [],
    hasCohorts: false,
    release: null,
    sampleRate: 1,
  });
const answer = (bytes: number) => ({ etag: '"x"', body: Buffer.alloc(bytes) });

x('an answer stands for its request and its snapshot alone', () => {
  const [cache, present] = [new AnswerCache(), snapshot()];
  const kept = answer(10);
  cache.keep('a', present, 0, kept, Number.POSITIVE_INFINITY);
  assert.equal(cache.find('a', present, 1e9), kept);
  assert.is(cache.find('b', present, 0), null);
  assert.is(cache.find('a', snapshot(), 0), null);
});

x('a kept answer holds no more memory than its body has', () => {
  const [cache, present] = [new AnswerCache(), snapshot()];
  cache.keep('a', present, 0, { etag: '"x"', body: Buffer.from('{"small":true}') }, 1);
  const body = cache.find('a', present, 0)?.body;
  assert.is(body?.toString(), '{"small":true}');
  assert.is(body?.buffer.byteLength, body?.length);
});

x('an answer about a person grows old', () => {
  const [cache, present] = [new AnswerCache(), snapshot()];
  cache.keep('a', present, 1_000, answer(10), 500);
  assert.ok(cache.find('a', present, 1_499));
  assert.is(cache.find('a', present, 1_500), null);
  assert.is(cache.find('a', present, 999), null, 'the clock went back');
});

x('the oldest make room beyond 32 MiB', () => {
  const [cache, present] = [new AnswerCache(), snapshot()];
  for (let id = 0; id < 40; id += 1) cache.keep(`r${id}`, present, 0, answer(1024 * 1024), 1);
  cache.keep('r39', present, 0, answer(1024 * 1024), 1);
  const kept = Array.from({ length: 40 }, (_, id) => cache.find(`r${id}`, present, 0) !== null);
  assert.is(kept.filter(Boolean).length, 31);
  assert.is(kept[8], false);
  assert.is(kept[9], true);
});

x.run();
