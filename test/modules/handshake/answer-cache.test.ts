import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOTHING_SERVED } from '../../../src/modules/handshake/answer.js';
import { AnswerCache, type NewAnswer } from '../../../src/modules/handshake/answer-cache.js';
import { compileSnapshot } from '../../../src/modules/handshake/snapshot.js';

const x = suite('answer cache');

const snapshot = (sampleRate = 1) =>
  compileSnapshot({
    projectId: 'p',
    environment: 'live',
    disabled: [],
    flags: [],
    items: [],
    cohorts: [],
    release: null,
    sampleRate,
  });
const present = snapshot();
const open = (stands = (_: number) => false) => new AnswerCache({ answers: 34_000, bodies: 100_000 }, stands);
const answer = (change: Partial<NewAnswer> = {}): NewAnswer => ({
  etag: '"x"',
  fingerprint: present.fingerprint,
  ticket: null,
  madeAt: null,
  modules: [],
  ...NOTHING_SERVED,
  ...change,
});

x('an answer is kept for its request and the data it was made from', () => {
  const cache = open();
  const kept = {
    etag: '"x"',
    modules: ['switch', 'config'],
    switch: '\u0001\u0000é',
    config: '✓',
    ofrep: null,
    analytics: '',
  };
  cache.keep('a', answer(kept as Partial<NewAnswer>));
  assert.equal(cache.find('a', present, 1e9), kept);
  assert.equal(cache.find('a', snapshot(), 1e9), kept, 'the same definitions, compiled again');
  cache.keep('a', answer({ etag: '"y"' }));
  assert.is(cache.find('a', present, 0)?.etag, '"y"');
  assert.is(cache.find('b', present, 0), null);
  assert.is(cache.find('a', snapshot(0.5), 0), null);
});

x('an answer is dropped with the facts it depends on', () => {
  const standing = new Set([2 ** 40 + 1]);
  const cache = open((ticket) => standing.has(ticket));
  cache.keep('a', answer({ ticket: 2 ** 40 + 1 }));
  cache.keep('b', answer({ ticket: -1 }));
  assert.ok(cache.find('a', present, 0));
  assert.is(cache.find('b', present, 0), null, 'nobody would learn that the facts changed');
  standing.clear();
  assert.is(cache.find('a', present, 0), null);
});

x('an answer that depends on the clock expires', () => {
  const cache = open();
  cache.keep('a', answer({ madeAt: 1_000 }));
  assert.ok(cache.find('a', present, 1_449));
  assert.is(cache.find('a', present, 1_450), null);
  assert.is(cache.find('a', present, 999), null, 'the clock went back');
});

x('bytes requested again are kept, shared by tag, and hold no more memory than their length', () => {
  const cache = open();
  let written = 0;
  const write = () => {
    written += 1;
    return '{"small":true}';
  };
  assert.is(cache.body('"abcdx"', write).toString(), '{"small":true}');
  cache.body('"abcdx"', write);
  const body = cache.body('"abcdx"', write) as Buffer;
  assert.is(cache.body('"abcdx"', write), body);
  assert.equal([body.toString(), body.buffer.byteLength, written], ['{"small":true}', body.length, 2]);
});

x('bytes requested too rarely to be kept are written each time', () => {
  const cache = open();
  let written = 0;
  const write = () => {
    written += 1;
    return 'x'.repeat(10_000);
  };
  const tags = Array.from({ length: 100 }, (_, id) => `"${1_000 + id}"`);
  for (const etag of [...tags, ...tags]) cache.body(etag, write);
  assert.is(written, 200);
  const [first] = tags as [string];
  for (let time = 0; time < 3; time += 1) cache.body(first, write);
  assert.is(written, 202, 'requested concurrently, they are kept from the second time on');
});

x('unused entries are evicted', () => {
  const cache = open();
  const all = Array.from({ length: 2_000 }, (_, id) => `r${id}`);
  for (const id of all) {
    cache.keep(id, answer());
    cache.find('r1', present, 0);
  }
  const kept = all.filter((id) => cache.find(id, present, 0));
  assert.ok(kept.length > 300 && kept.length < 500, `${kept.length}`);
  assert.equal([kept[0], kept.at(-1), kept.includes('r2')], ['r1', 'r1999', false]);
  let written = 0;
  const write = () => {
    written += 1;
    return 'x'.repeat(40_000);
  };
  for (const etag of ['"aaaa"', '"bbbb"', '"cccc"']) cache.body(etag, write);
  written = 0;
  for (const etag of ['"aaaa"', '"bbbb"', '"cccc"', '"cccc"', '"aaaa"']) cache.body(etag, write);
  assert.is(written, 4, 'the third pushed out the first');
});

x.run();
