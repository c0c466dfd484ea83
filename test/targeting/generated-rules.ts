import fc from 'fast-check';
import type { Condition } from '../../src/targeting/condition.js';
import { allocate } from '../../src/targeting/rules/allocation.js';
import type { Rule } from '../../src/targeting/rules/rule.js';
import type { SubjectFacts } from '../../src/targeting/subject.js';

const word = fc.constantFrom('pro', 'free', 'Pro', 'p', 'fr', 'beta', 'ios', 'IOS', 'en_GB', 'en-gb', '42', 'true', '');
const version = fc.constantFrom('1.9.0', '1.10.0', '2.0.0', 'nightly', '2.0.1');
const instant = fc.constantFrom(
  '2026-11-01T00:00:00Z',
  '2026-11-20T12:00:00.500+02:00',
  '2026-11-15T00:00Z',
  'yesterday',
);
const number = fc.constantFrom(0, 5, 5.5, 42, -1);
const scalar = fc.oneof(word, version, instant, number, fc.boolean());
/** Values that no condition compares with, but a subject may have. */
const odd = fc.constantFrom(-0, 1e3, 2 ** 53 + 2, 1e300, 'p'.repeat(1_024), 'p'.repeat(1_025), '1e3');
const longList = fc
  .tuple(fc.constantFrom(32, 33, 1_000, 1_001), scalar)
  .map(([length, entry]) => new Array(length).fill(entry));
const json = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: odd },
  { weight: 1, arbitrary: longList },
  fc.constant(['p'.repeat(1_000), 'p'.repeat(25)]),
  fc.constant(null),
  fc.array(fc.oneof(scalar, fc.constant(null)), { maxLength: 3 }),
  fc.record({ b: scalar, c: fc.record({ d: scalar }) }),
);
const keys = ['a', 'a.b', 'plan', 'country', 'release', 'company', '__proto__'];
const map = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...keys), json), { selector: ([key]) => key, maxLength: 5 })
  .map((entries) => new Map(entries));
const absent = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

/** A subject with facts of every type in every place. */
export const anySubject: fc.Arbitrary<SubjectFacts> = fc.record({
  distinctId: absent(
    fc.oneof(
      word,
      fc.nat(500).map((n) => `user-${n}`),
    ),
  ),
  appVersion: absent(version),
  osVersion: absent(version),
  platform: absent(word),
  locale: absent(word),
  cohorts: fc.subarray(['beta', 'pro', 'staff']),
  properties: map,
  context: map,
  now: fc.constantFrom(Date.UTC(2026, 10, 20), Date.UTC(2026, 10, 22, 12)),
});

const anything = [
  'props.a',
  'props.a.b',
  'props.a.c.d',
  'props.plan',
  'context.a',
  'context.a.b',
  'props.__proto__',
  'context.none',
];
const attribute = (...names: string[]) => fc.constantFrom(...names);
const one = <T extends Condition['values'][number]>(value: fc.Arbitrary<T>) => fc.tuple(value);
const filled = word.filter((text) => text !== '');
const named = ['distinct_id', 'platform', 'locale', 'country', 'release', 'app_version', 'os_version'];

function condition(
  operator: Condition['operator'],
  attributes: fc.Arbitrary<string>,
  values: fc.Arbitrary<Condition['values']>,
): fc.Arbitrary<Condition> {
  return fc.record({ attribute: attributes, operator: fc.constant(operator), values, negate: fc.boolean() });
}

const several = <T extends Condition['values'][number]>(value: fc.Arbitrary<T>) =>
  fc.array(value, { minLength: 1, maxLength: 3 });

/** Conditions of every operator that may be stored. */
export const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  condition('in', attribute(...named, ...anything, 'cohort'), several(scalar)),
  condition('contains', attribute(...named, ...anything, 'cohort'), several(filled)),
  condition('starts_with', attribute(...named, ...anything, 'cohort'), several(filled)),
  condition('ends_with', attribute(...named, ...anything, 'cohort'), several(filled)),
  condition(
    'matches',
    attribute(...named, ...anything, 'cohort'),
    several(fc.constantFrom('^p', 'r.$', '[0-9]+', 'e(n|t)', '^$')),
  ),
  condition('lt', attribute(...anything), one(number)),
  condition('lte', attribute(...anything), one(number)),
  condition('gt', attribute(...anything), one(number)),
  condition('gte', attribute(...anything), one(number)),
  condition(
    'before',
    attribute(...anything, 'now'),
    one(fc.constantFrom('2026-11-20T10:00:00Z', '-3d', '-10d', '2026-11-21')),
  ),
  condition(
    'after',
    attribute(...anything, 'now'),
    one(fc.constantFrom('2026-11-20T10:00:00Z', '-3d', '-10d', '2026-11-21')),
  ),
  condition(
    'semver',
    attribute('app_version', 'os_version', 'release', ...anything),
    several(fc.constantFrom('>=1.9.0', '<1.10.0', '=2.0.0', '<=2.0.0', '>1.9.0')),
  ),
  condition('exists', attribute(...named, ...anything), fc.constant([])),
  condition('cohort', attribute('distinct_id', 'cohort'), several(filled)),
  condition(
    null,
    attribute('distinct_id', 'cohort', 'platform', 'props.plan', 'props.a', 'props.a.b'),
    several(filled),
  ),
  condition(null, attribute('app_version'), several(fc.constantFrom('>=1.9.0', '<1.10.0'))),
);

/** Splits of two to four shares. */
export const anyWeights = fc
  .array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 4 })
  .filter((weights) => weights.some((weight) => weight > 0));

const split = anyWeights.map((weights) =>
  allocate(
    null,
    weights.map((weight, at) => ({ value: `v${at}`, weight })),
  ),
);

/** Rules that may be stored. */
export const anyRules: fc.Arbitrary<Rule[]> = fc.array(
  fc.record({
    conditions: fc.array(anyCondition, { maxLength: 2 }),
    percentage: fc.constantFrom(100, 100, 50, 12.345, 0),
    salt: absent(fc.constantFrom('s1', 's2')),
    bucketBy: absent(fc.constantFrom('distinct_id', 'props.company', 'context.a')),
    split: absent(split),
  }),
  { minLength: 1, maxLength: 4 },
);
