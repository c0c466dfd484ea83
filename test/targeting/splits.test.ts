import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allocate, type Share } from '../../src/targeting/rules/allocation.js';
import { BUCKET_COUNT } from '../../src/targeting/rules/bucket.js';
import { compileRules, decideRules, lacksBucket } from '../../src/targeting/rules/compile-rules.js';
import type { Rule } from '../../src/targeting/rules/rule.js';
import { Subject, type SubjectFacts } from '../../src/targeting/subject.js';
import { anyWeights } from './generated-rules.js';

const x = suite('splits');

const sharesOf = (weights: readonly number[]) => weights.map((weight, at) => ({ value: `v${at}`, weight }));
const size = ({ buckets = [] }: Share) => buckets.reduce((sum, [from, to]) => sum + to - from, 0);

/** The owner of every bucket; fails if a bucket has none or two. */
function owners(shares: readonly Share[]): string[] {
  const owned = new Array<string>(BUCKET_COUNT).fill('');
  for (const { value, buckets = [] } of shares) {
    for (const [from, to] of buckets) {
      for (let bucket = from; bucket < to; bucket += 1) {
        if (owned[bucket] !== '') assert.unreachable(`bucket ${bucket} belongs to two`);
        owned[bucket] = value;
      }
    }
  }
  assert.not(owned.includes(''), 'every bucket has an owner');
  return owned;
}

x('divide all buckets by weight', () => {
  assert.equal(allocate(null, sharesOf([1, 3])), [
    { value: 'v0', weight: 1, buckets: [[0, 25_000]] },
    { value: 'v1', weight: 3, buckets: [[25_000, 100_000]] },
  ]);
  fc.assert(
    fc.property(anyWeights, (weights) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      for (const [at, share] of allocate(null, sharesOf(weights)).entries()) {
        const exact = ((weights[at] as number) / total) * BUCKET_COUNT;
        assert.ok(Math.abs(size(share) - exact) <= 1, `${size(share)} beside ${exact}`);
      }
    }),
    { numRuns: 100, seed: 1 },
  );
});

x('move as few buckets as the new weights allow, change after change', () => {
  fc.assert(
    fc.property(fc.array(anyWeights, { minLength: 2, maxLength: 4 }), (steps) => {
      let present: Share[] | null = null;
      for (const weights of steps) {
        const next: Share[] = allocate(present, sharesOf(weights));
        if (present !== null) {
          const [before, after] = [owners(present), owners(next)];
          const moved = after.filter((owner, bucket) => owner !== before[bucket]).length;
          const sizes = new Map(present.map((share) => [share.value, size(share)]));
          const least = next.reduce((sum, share) => sum + Math.max(0, size(share) - (sizes.get(share.value) ?? 0)), 0);
          assert.is(moved, least);
        }
        present = next;
      }
    }),
    { numRuns: 30, seed: 2 },
  );
});

x('a share whose weight alone is raised keeps everyone it had', () => {
  fc.assert(
    fc.property(anyWeights, fc.nat(), fc.integer({ min: 1, max: 50 }), (weights, which, more) => {
      const raised = which % weights.length;
      const before = allocate(null, sharesOf(weights));
      const after = allocate(before, sharesOf(weights.map((weight, at) => (at === raised ? weight + more : weight))));
      const [was, is] = [owners(before), owners(after)];
      assert.ok(was.every((owner, bucket) => owner !== `v${raised}` || is[bucket] === owner));
    }),
    { numRuns: 30, seed: 3 },
  );
});

x('shares are identified by what they serve: reordered or joined by another, all keep what they can', () => {
  const before = allocate(null, sharesOf([1, 1, 2]));
  const [first, second, third] = sharesOf([1, 1, 2]) as [Share, Share, Share];
  const was = owners(before);
  const turned = owners(allocate(before, [third, first, second]));
  // A failure should not print two long lists side by side.
  assert.ok(turned.every((owner, bucket) => owner === was[bucket]));
  const is = owners(allocate(before, [{ value: 'new', weight: 4 }, third, second, first]));
  assert.ok(is.every((owner, bucket) => owner === 'new' || owner === was[bucket]));
  assert.is(is.filter((owner) => owner === 'new').length, BUCKET_COUNT / 2);
});

x('going back to former weights restores the former division', () => {
  const first = allocate(null, sharesOf([50, 25, 25]));
  assert.equal(allocate(allocate(first, sharesOf([80, 10, 10])), sharesOf([50, 25, 25])), first);
});

const rule = (change: Partial<Rule>): Rule => ({ conditions: [], percentage: 100, ...change });
const outcomes = (rules: Rule[], ids: number, name = 'user-') => {
  const compiled = compileRules(rules, 'checkout');
  return Array.from({ length: ids }, (_, id) => decideRules(compiled, new Subject({ distinctId: `${name}${id}` })));
};

x('a person in a rollout keeps their variant while the percentage grows', () => {
  const split = allocate(null, sharesOf([1, 1, 2]));
  const steps = [5, 20, 50, 99, 100].map((percentage) => outcomes([rule({ percentage, split })], 3_000));
  for (let id = 0; id < 3_000; id += 1) {
    const got = steps.map((step) => step[id] as number).filter((outcome) => outcome > 0);
    assert.is(new Set(got).size, 1, `user-${id} had ${got}`);
  }
});

x('shares are met within statistical bounds, even inside a partial rollout', () => {
  const [ids, weights] = [20_000, [10, 20, 70]];
  const found = outcomes([rule({ percentage: 40, split: allocate(null, sharesOf(weights)) })], ids);
  const expected = [0.6, 0.04, 0.08, 0.28].map((part) => part * ids);
  const chiSquare = expected.reduce((sum, count, at) => {
    const seen = found.filter((outcome) => outcome === at).length;
    return sum + (seen - count) ** 2 / count;
  }, 0);
  // 3 degrees of freedom: chance exceeds 16.3 once in a thousand runs.
  assert.ok(chiSquare < 16.3, `chi-square ${chiSquare}`);
});

x('an own salt draws anew, and an own attribute keeps companies together', () => {
  const half = (salt: string | null) => outcomes([rule({ percentage: 50, salt })], 4_000);
  const [own, other] = [half(null), half('again')];
  const both = own.filter((outcome, id) => outcome === 1 && other[id] === 1).length;
  assert.ok(Math.abs(both - 1_000) < 120, `${both} of 4000 in both halves`);
  assert.equal(half('checkout'), own, "without a salt of its own, the list's salt counts");
  const compiled = compileRules([rule({ percentage: 50, bucketBy: 'props.company' })], 'checkout');
  const decide = (company: unknown, distinctId: string) =>
    decideRules(compiled, new Subject({ distinctId, properties: new Map([['company', company]]) }));
  for (let company = 0; company < 50; company += 1) {
    const seen = ['a', 'b', 'c'].map((id) => decide(`c${company}`, id));
    assert.is(new Set(seen).size, 1);
    assert.is(decide(company, 'a'), decide(`${company}`, 'a'), 'a whole number is its digits');
  }
  for (const nothing of [undefined, null, '', 1.5, true, ['c'], {}]) assert.is(decide(nothing, 'a'), 0, `${nothing}`);
});

x('a missing id is reported if a decision depends on it', () => {
  const lacks = (rules: Rule[], facts: SubjectFacts = {}) =>
    lacksBucket(compileRules(rules, 'checkout'), new Subject(facts));
  const split = allocate(null, sharesOf([1, 1]));
  assert.is(lacks([rule({ percentage: 99 })]), true);
  assert.is(lacks([rule({ split })]), true);
  assert.is(lacks([rule({ split })], { distinctId: 'u' }), false);
  assert.is(lacks([rule({}), rule({ percentage: 50 })]), false, 'an earlier rule decides');
  assert.is(lacks([rule({ percentage: 0 })]), false, 'nobody is in it');
  assert.is(lacks([rule({ percentage: 50, bucketBy: 'props.company' })], { distinctId: 'u' }), true);
});

x.run();
