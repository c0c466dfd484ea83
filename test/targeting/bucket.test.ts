import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fastBits } from '../../src/modules/switch/evaluation/flag-subject.js';
import { KnownBuckets } from '../../src/sdk/node/known-buckets.js';
import { BUCKET_COUNT, bucketOf, bucketsCovered } from '../../src/targeting/rules/bucket.js';
import { leadingBits } from '../../src/targeting/rules/leading-bits.js';

const x = suite('buckets');

x('known vectors do not change', () => {
  const vectors: [string, string, number][] = [
    ['checkout', 'user-1', 16570],
    ['checkout', 'user-2', 7222],
    ['dark-mode', 'user-1', 75087],
    ['a', 'b', 40435],
    ['flag', 'Ωmega 🚀', 57606],
    ['flag', '', 43421],
    ['xxxxxxxxxxxxxxxxxxxx', '0198c0de-0000-7000-8000-000000000001', 66381],
  ];
  for (const [flag, id, bucket] of vectors) assert.is(bucketOf(fastBits, flag, id), bucket, `${flag}:${id}`);
});

x('a bucket is the leading fraction of SHA-256 over flag_key:distinct_id', () => {
  const digest = createHash('sha256').update('checkout:user-1', 'utf8').digest('hex');
  assert.is(
    bucketOf(fastBits, 'checkout', 'user-1'),
    Math.floor((Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32) * 100_000),
  );
});

x('100,000 ids spread evenly, for each of three flags', () => {
  for (const flag of ['checkout', 'dark-mode', 'Ω']) {
    const cells = new Array<number>(100).fill(0);
    for (let id = 0; id < 100_000; id += 1) {
      const cell = Math.floor(bucketOf(fastBits, flag, `user-${id}`) / (BUCKET_COUNT / 100));
      cells[cell] = (cells[cell] ?? 0) + 1;
    }
    const chiSquare = cells.reduce((sum, seen) => sum + (seen - 1000) ** 2 / 1000, 0);
    // 99 degrees of freedom: chance exceeds 148.2 once in a thousand runs.
    assert.ok(chiSquare < 148.2, `${flag}: chi-square ${chiSquare}`);
    assert.ok(chiSquare > 50, `${flag}: suspiciously even, chi-square ${chiSquare}`);
  }
});

x('two flags divide the same ids independently', () => {
  let both = 0;
  for (let id = 0; id < 20_000; id += 1) {
    if (bucketOf(fastBits, 'one', `${id}`) < BUCKET_COUNT / 2 && bucketOf(fastBits, 'two', `${id}`) < BUCKET_COUNT / 2)
      both += 1;
  }
  assert.ok(Math.abs(both - 5000) < 250, `${both} of 20000 in both halves`);
});

x('a percentage covers its share of buckets in steps of 0.001 %', () => {
  assert.equal(
    [0, 0.001, 0.01, 33.333, 50, 99.999, 100].map(bucketsCovered),
    [0, 1, 10, 33_333, 50_000, 99_999, 100_000],
  );
});

x('the portable hash and the fast one give the same bits for every length and script', () => {
  for (let length = 0; length < 300; length += 1) {
    for (const text of ['a'.repeat(length), `Ω🚀\u0000${'é'.repeat(length)}`])
      assert.is(leadingBits(text), fastBits(text), text);
  }
});

x('is the same when cached, for more ids than the cache holds, whatever they look like', () => {
  const known = new KnownBuckets();
  const ids = Array.from({ length: 80_000 }, (_, n) => (n % 1_000 === 0 ? `${n}`.repeat(40) : `Ω-${n}`));
  const asked = [...ids, ...ids.slice(-30_000), ...ids.slice(0, 100)];
  const others = asked.filter((id) =>
    ['one', 'one:split'].some((salt) => known.of(salt, id) !== bucketOf(fastBits, salt, id)),
  );
  assert.equal(others, []);
});

x.run();
