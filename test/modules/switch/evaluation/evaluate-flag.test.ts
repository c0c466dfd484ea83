import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explainFlag } from '../../../../src/modules/switch/evaluation/flag-explanation.js';
import { flagSubject } from '../../../../src/modules/switch/evaluation/flag-subject.js';
import { compileFlag, evaluateFlag } from '../../../../src/targeting/flags/compiled-flag.js';
import type { FlagDefinition, FlagRule } from '../../../../src/targeting/flags/flag-definition.js';
import { bucketOf } from '../../../../src/targeting/rules/bucket.js';
import { lacksBucket } from '../../../../src/targeting/rules/compile-rules.js';
import { leadingBits } from '../../../../src/targeting/rules/leading-bits.js';
import type { SubjectFacts } from '../../../../src/targeting/subject.js';

const x = suite('flag evaluation');

function flag(rules: readonly FlagRule[], change: Partial<FlagDefinition> = {}): FlagDefinition {
  const variants = [
    { key: 'off', value: false },
    { key: 'on', value: true },
  ];
  return {
    key: 'checkout',
    version: 7,
    variants,
    defaultVariant: 'off',
    rules,
    halted: false,
    archived: false,
    ...change,
  };
}

function rule(conditions: Record<string, string | string[]>, percentage = 100, variant = 'on'): FlagRule {
  const listed = Object.entries(conditions).map(([attribute, values]) => ({ attribute, values: [values].flat() }));
  return { conditions: listed, percentage, variant };
}

function decide(definition: FlagDefinition, facts: SubjectFacts) {
  const { variant, reason, ruleIndex } = evaluateFlag(compileFlag(definition), flagSubject(facts));
  return `${variant} ${reason} ${ruleIndex}`;
}

x('without rules the default is served, with its version', () => {
  assert.equal(evaluateFlag(compileFlag(flag([])), flagSubject({ distinctId: 'u' })), {
    value: false,
    variant: 'off',
    reason: 'default',
    version: 7,
    ruleIndex: null,
  });
});

const properties = (entries: Record<string, unknown>) => new Map(Object.entries(entries));
const table: [string, FlagRule, SubjectFacts, boolean][] = [
  ['no conditions mean everyone', rule({}), {}, true],
  ['in the cohort', rule({ cohort: 'beta' }), { cohorts: ['x', 'beta'] }, true],
  ['in one of the cohorts', rule({ cohort: ['a', 'beta'] }), { cohorts: ['beta'] }, true],
  ['in another cohort', rule({ cohort: 'beta' }), { cohorts: ['Beta'] }, false],
  ['without cohorts', rule({ cohort: 'beta' }), {}, false],
  ['property equals', rule({ 'props.plan': 'pro' }), { properties: properties({ plan: 'pro' }) }, true],
  ['property differs', rule({ 'props.plan': 'pro' }), { properties: properties({ plan: 'Pro' }) }, false],
  ['property absent', rule({ 'props.plan': 'pro' }), {}, false],
  ['numbers compare as JSON text', rule({ 'props.age': '42' }), { properties: properties({ age: 42 }) }, true],
  ['booleans compare as JSON text', rule({ 'props.paid': 'true' }), { properties: properties({ paid: true }) }, true],
  ['null equals nothing', rule({ 'props.plan': 'null' }), { properties: properties({ plan: null }) }, false],
  ['objects equal nothing', rule({ 'props.plan': '{}' }), { properties: properties({ plan: {} }) }, false],
  [
    'a property called like a prototype member',
    rule({ 'props.__proto__': 'x' }),
    { properties: new Map([['__proto__', 'x']]) },
    true,
  ],
  ['no property is inherited', rule({ 'props.constructor': 'x' }), { properties: properties({}) }, false],
  ['a key may hold dots', rule({ 'props.a.b': 'x' }), { properties: properties({ 'a.b': 'x' }) }, true],
  ['version in range', rule({ app_version: '>=2.1 <3' }), { appVersion: '2.5.0' }, true],
  ['version out of range', rule({ app_version: '>=2.1 <3' }), { appVersion: '3.0.0' }, false],
  ['version unreadable', rule({ app_version: '*' }), { appVersion: 'nightly' }, false],
  ['version absent', rule({ app_version: '*' }), {}, false],
  ['platform ignores case', rule({ platform: ['iOS', 'android'] }), { platform: 'IOS' }, true],
  ['other platform', rule({ platform: 'ios' }), { platform: 'web' }, false],
  ['listed id', rule({ distinct_id: ['a', 'b'] }), { distinctId: 'b' }, true],
  ['id not listed', rule({ distinct_id: ['a', 'b'] }), { distinctId: 'B' }, false],
  ['all conditions hold', rule({ platform: 'ios', cohort: 'beta' }), { platform: 'ios', cohorts: ['beta'] }, true],
  ['one of two fails', rule({ platform: 'ios', cohort: 'beta' }), { platform: 'ios' }, false],
  ['an unknown condition never holds', rule({ weather: 'sunny' }), {}, false],
];

x('conditions hold as specified', () => {
  for (const [name, only, facts, applies] of table) {
    assert.is(decide(flag([only]), facts), applies ? 'on rule 0' : 'off default null', name);
  }
});

x('the first rule that applies decides', () => {
  const rules = [rule({ platform: 'ios' }, 0), rule({ cohort: 'beta' }, 100, 'off'), rule({}, 100, 'on')];
  assert.is(decide(flag(rules), { platform: 'ios', cohorts: ['beta'], distinctId: 'u' }), 'off rule 1');
  assert.is(decide(flag(rules), { platform: 'ios', distinctId: 'u' }), 'on rule 2');
});

x('halted and archived flags serve the default, and halted takes precedence', () => {
  const rules = [rule({})];
  assert.is(decide(flag(rules, { halted: true }), { distinctId: 'u' }), 'off halted null');
  assert.is(decide(flag(rules, { archived: true }), { distinctId: 'u' }), 'off archived null');
  assert.is(decide(flag(rules, { archived: true, halted: true }), { distinctId: 'u' }), 'off halted null');
});

x('people in a rollout stay in it when the percentage grows', () => {
  const percentages = [0, 0.001, 0.01, 1, 5, 12.5, 33.333, 50, 75, 99.999, 100];
  const steps = percentages.map((percentage) => compileFlag(flag([rule({}, percentage)])));
  for (let id = 0; id < 5000; id += 1) {
    const subject = flagSubject({ distinctId: `user-${id}` });
    const served = steps.map((step) => evaluateFlag(step, subject).variant === 'on');
    assert.equal(served, [...served].sort(), `user-${id}`);
    assert.is(served[0], false);
    assert.is(served.at(-1), true);
  }
});

x('a rollout reaches its share', () => {
  const tenth = compileFlag(flag([rule({}, 10)]));
  let on = 0;
  for (let id = 0; id < 100_000; id += 1) {
    const { variant, reason } = evaluateFlag(tenth, flagSubject({ distinctId: `user-${id}` }));
    if (variant === 'on') on += 1;
    assert.is(reason, variant === 'on' ? 'rollout' : 'default');
  }
  assert.ok(Math.abs(on - 10_000) < 400, `${on} of 100000`);
});

x('successive rollouts divide one scale, so they split without overlap', () => {
  const split = compileFlag(flag([rule({}, 30, 'on'), rule({}, 60, 'off')]));
  for (let id = 0; id < 1000; id += 1) {
    const bucket = bucketOf(leadingBits, 'checkout', `u${id}`);
    const { ruleIndex } = evaluateFlag(split, flagSubject({ distinctId: `u${id}` }));
    assert.is(ruleIndex, bucket < 30_000 ? 0 : bucket < 60_000 ? 1 : null);
  }
});

x('without a distinct id nobody is in a partial rollout, and the lack is reported', () => {
  assert.is(decide(flag([rule({}, 99)]), {}), 'off default null');
  const lacks = (rules: FlagRule[], facts: SubjectFacts) =>
    lacksBucket(compileFlag(flag(rules)).rules, flagSubject(facts));
  assert.is(lacks([rule({}, 99)], {}), true);
  assert.is(lacks([rule({}, 99)], { distinctId: 'u' }), false);
  assert.is(lacks([rule({}), rule({}, 50)], {}), false, 'an earlier rule decides');
  assert.is(lacks([rule({ platform: 'ios' }, 50)], { platform: 'web' }), false, 'the conditions fail anyway');
  assert.is(lacks([rule({}, 0)], {}), false, 'nobody is in it');
  assert.is(lacksBucket(compileFlag(flag([rule({}, 50)], { halted: true })).rules, flagSubject({})), false, 'halted');
});

x('a rule for a removed variant serves the default variant', () => {
  assert.is(decide(flag([rule({}, 100, 'gone')]), {}), 'off rule 0');
});

x('compiling tells whether stored facts about the person are needed', () => {
  const needs = (...rules: FlagRule[]) => compileFlag(flag(rules)).rules.needs;
  const nothing = { properties: [], cohorts: false };
  assert.equal(needs(rule({ platform: 'ios', distinct_id: 'u', app_version: '1' })), nothing);
  assert.equal(needs(rule({ platform: 'ios' }), rule({ cohort: 'beta' })), { properties: [], cohorts: true });
  assert.equal(needs(rule({ 'props.b': 'c', 'props.a': 'b' })), { properties: ['a', 'b'], cohorts: false });
  assert.equal(needs({ ...rule({}, 50), bucketBy: 'props.company.id' }).properties, ['company', 'company.id']);
  const named = ['country', 'release'].map((attribute) => ({ attribute, operator: 'exists' as const, values: [] }));
  assert.equal(needs({ ...rule({}), conditions: named }).properties, ['country', 'release']);
  assert.equal(compileFlag(flag([rule({ cohort: 'beta' })], { halted: true })).rules.needs, nothing);
});

x('an explanation names the failed condition, the bucket and the rule that decides', () => {
  const rules = [rule({ platform: 'ios', cohort: 'beta' }), rule({}, 0.001), rule({}, 100)];
  const {
    decision,
    bucket,
    rules: explained,
  } = explainFlag(flag(rules), flagSubject({ distinctId: 'user-1', platform: 'ios' }));
  assert.is(decision.ruleIndex, 2);
  assert.is(bucket, bucketOf(leadingBits, 'checkout', 'user-1'));
  assert.equal(
    explained.map(({ because }) => because),
    [
      'cohort matches none of its values',
      `bucket ${bucket} is outside 0.001 %`,
      'all conditions hold and the rollout covers the bucket',
    ],
  );
  assert.equal(
    explained[0]?.conditions.map((condition) => condition.holds),
    [true, false],
  );
});

x('an explanation of a halted flag shows what would be served otherwise', () => {
  const { decision, rules } = explainFlag(flag([rule({})], { halted: true }), flagSubject({}));
  assert.is(decision.reason, 'halted');
  assert.is(rules[0]?.applies, true);
  assert.is(explainFlag(flag([rule({}, 5)]), flagSubject({})).rules[0]?.because, 'a rollout needs a distinct id');
});

x.run();
