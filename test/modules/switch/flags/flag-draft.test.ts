import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { completeFlag, type FlagDraft } from '../../../../src/modules/switch/flags/flag-draft.js';
import { valueText } from '../../../../src/modules/switch/flags/flag-kinds.js';

const x = suite('flag drafts');

const paths = (draft: FlagDraft) => completeFlag(draft).problems.map((problem) => problem.path);

x('a boolean flag needs nothing and is off by default', () => {
  assert.equal(completeFlag({ kind: 'boolean' }), {
    behaviour: {
      variants: [
        { key: 'on', value: true },
        { key: 'off', value: false },
      ],
      defaultVariant: 'off',
      rules: [],
      prerequisites: [],
    },
    problems: [],
  });
  assert.is(completeFlag({ kind: 'boolean', defaultValue: 'true' }).behaviour.defaultVariant, 'on');
});

x('a variant flag takes any JSON value, a boolean one only booleans', () => {
  const variants = [null, 0, 1.5, 'x', [1], { a: true }].map((value, index) => ({ key: `v${index}`, value }));
  assert.equal(paths({ kind: 'variant', variants }), []);
  assert.is(completeFlag({ kind: 'variant', variants }).behaviour.defaultVariant, 'v0');
  assert.equal(completeFlag({ kind: 'variant', defaultValue: 'blue' }).behaviour.variants, [
    { key: 'default', value: 'blue' },
  ]);
  assert.equal(
    paths({
      kind: 'boolean',
      variants: [
        { key: 'a', value: 1 },
        { key: 'b', value: 'true' },
      ],
    }),
    ['variants[0].value'],
  );
});

x('the default variant may be named by its value', () => {
  const variants = [
    { key: 'a', value: 'red' },
    { key: 'b', value: { n: 1 } },
    { key: 'c', value: 3 },
  ];
  const named = (defaultValue: string) => completeFlag({ kind: 'variant', variants, defaultValue });
  assert.equal(
    ['red', '{"n":1}', '3'].map((text) => named(text).behaviour.defaultVariant),
    ['a', 'b', 'c'],
  );
  assert.equal(
    named('blue').problems.map(({ path }) => path),
    ['defaultValue'],
  );
  assert.equal(paths({ kind: 'variant', variants, defaultVariant: 'a', defaultValue: '3' }), ['defaultValue']);
  assert.equal(paths({ kind: 'variant', variants, defaultVariant: 'z' }), ['defaultVariant']);
});

x('variants have distinct, sensible keys', () => {
  const variants = ['a', 'a', '', 'x'.repeat(401)].map((key) => ({ key, value: 1 }));
  assert.equal(paths({ kind: 'variant', variants }), ['variants[1].key', 'variants[2].key', 'variants[3].key']);
  assert.equal(paths({ kind: 'variant', variants: [{ key: 'a', value: 'x'.repeat(70_000) }] }), ['variants[0].value']);
});

x('a rule without conditions and percentage means everyone', () => {
  const { behaviour, problems } = completeFlag({ kind: 'boolean', rules: [{ variant: 'on' }] });
  assert.equal(problems, []);
  assert.equal(behaviour.rules, [{ conditions: [], percentage: 100, variant: 'on' }]);
});

x('percentages are 0 to 100 in thousandths', () => {
  const wrong = (percentage: number) => paths({ kind: 'boolean', rules: [{ variant: 'on', percentage }] }).length;
  assert.equal([0, 0.001, 12.345, 33.333, 99.999, 100].map(wrong), [0, 0, 0, 0, 0, 0]);
  assert.equal([-1, 100.001, 0.0001, Number.NaN, Number.POSITIVE_INFINITY].map(wrong), [1, 1, 1, 1, 1]);
});

x('errors in rules are named by path', () => {
  const conditions = [
    { attribute: 'props.', values: ['x'] },
    { attribute: 'weather', values: ['x'] },
    { attribute: 'cohort', values: [] },
  ];
  assert.equal(paths({ kind: 'boolean', rules: [{ variant: 'on' }, { variant: 'maybe', conditions }] }), [
    'rules[1].variant',
    'rules[1].conditions[0].attribute',
    'rules[1].conditions[1].attribute',
    'rules[1].conditions[2].values',
  ]);
  const values = new Array<string>(10_001).fill('u');
  assert.equal(
    paths({ kind: 'boolean', rules: [{ variant: 'on', conditions: [{ attribute: 'distinct_id', values }] }] }),
    ['rules[0].conditions[0].values'],
  );
});

x('default_value is raw text for strings and JSON for the rest', () => {
  assert.equal([true, 'a "b"', 1.5, { a: [1] }, null].map(valueText), ['true', 'a "b"', '1.5', '{"a":[1]}', 'null']);
});

x.run();
