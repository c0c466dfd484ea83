import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explainFlag } from '../../../../src/modules/switch/evaluation/flag-explanation.js';
import { flagSubject } from '../../../../src/modules/switch/evaluation/flag-subject.js';
import {
  type CompiledFlag,
  compileFlags,
  evaluateFlag,
  flagLacksBucket,
} from '../../../../src/targeting/flags/compiled-flag.js';
import type { FlagDefinition } from '../../../../src/targeting/flags/flag-definition.js';
import { chainThrough, circleThrough } from '../../../../src/targeting/prerequisites/order-of-need.js';

const x = suite('prerequisites of flags');

type Needs = Record<string, string[]>;

function flag(key: string, needs: Needs = {}, change: Partial<FlagDefinition> = {}): FlagDefinition {
  return {
    key,
    version: 1,
    variants: [
      { key: 'off', value: false },
      { key: 'on', value: true },
    ],
    defaultVariant: 'off',
    rules: [{ conditions: [], percentage: 100, variant: 'on' }],
    prerequisites: Object.entries(needs).map(([needed, variants]) => ({ key: needed, variants })),
    halted: false,
    archived: false,
    ...change,
  };
}

const byKey = (flags: FlagDefinition[]) => new Map(compileFlags(flags).map((each) => [each.key, each]));

function decide(flags: FlagDefinition[], key: string, distinctId = 'u') {
  const { variant, reason } = evaluateFlag(byKey(flags).get(key) as CompiledFlag, flagSubject({ distinctId }));
  return `${variant} ${reason}`;
}

x('a flag serves its default until all its prerequisites serve the required variants', () => {
  const [a, b] = [flag('a'), flag('b', {}, { defaultVariant: 'on', rules: [] })];
  assert.is(decide([flag('c', { a: ['on'], b: ['on'] }), a, b], 'c'), 'on rule');
  assert.is(decide([flag('c', { a: ['off'] }), a], 'c'), 'off prerequisite');
  assert.is(decide([flag('c', { a: ['off', 'on'] }), a], 'c'), 'on rule');
  assert.is(decide([flag('c', { a: ['on'], b: ['off'] }), a, b], 'c'), 'off prerequisite');
  assert.is(decide([flag('c', { gone: ['on'] })], 'c'), 'off prerequisite');
});

x('a halt affects every flag that needs more than the default, even indirectly', () => {
  const flags = [flag('a', {}, { halted: true }), flag('b', { a: ['on'] }), flag('c', { b: ['on'] })];
  assert.is(decide(flags, 'b'), 'off prerequisite');
  assert.is(decide(flags, 'c'), 'off prerequisite');
  assert.is(decide([...flags, flag('d', { a: ['off'] })], 'd'), 'on rule');
  assert.is(decide([...flags, flag('e', { a: ['on'] }, { halted: true })], 'e'), 'off halted');
});

x('flags that require each other, which are never stored, serve their defaults', () => {
  const flags = [flag('a', { b: ['on'] }), flag('b', { c: ['on'] }), flag('c', { a: ['on'] })];
  for (const key of ['a', 'b', 'c']) {
    assert.is(decide(flags, key), 'off prerequisite');
    assert.is(
      explainFlag(flags.find((each) => each.key === key) as FlagDefinition, flagSubject({}), flags).decision.reason,
      'prerequisite',
    );
  }
});

x('a thousand paths to one flag cost no more than the flags', () => {
  const layers = Array.from({ length: 10 }, (_, layer) =>
    Array.from({ length: 10 }, (__, at) =>
      flag(
        `${layer}.${at}`,
        layer === 0 ? {} : Object.fromEntries(Array.from({ length: 10 }, (___, to) => [`${layer - 1}.${to}`, ['on']])),
      ),
    ),
  ).flat();
  assert.is(decide(layers, '9.9'), 'on rule');
  const top = layers.find(({ key }) => key === '9.9') as FlagDefinition;
  assert.ok(explainFlag(top, flagSubject({}), layers).prerequisites.every(({ isMet }) => isMet));
  assert.is(flagLacksBucket(byKey(layers).get('9.9') as CompiledFlag, flagSubject({})), false);
});

x('a person without a bucket for a prerequisite has none for the flag', () => {
  const half = flag('half', {}, { rules: [{ conditions: [], percentage: 50, variant: 'on' }] });
  const asking = byKey([half, flag('b', { half: ['on'] }), flag('c', { b: ['on'] })]).get('c') as CompiledFlag;
  assert.is(flagLacksBucket(asking, flagSubject({})), true);
  assert.is(flagLacksBucket(asking, flagSubject({ distinctId: 'u' })), false);
});

x('an explanation includes that of every prerequisite', () => {
  const half = flag('half', {}, { rules: [{ conditions: [], percentage: 0, variant: 'on' }] });
  const { decision, prerequisites, rules } = explainFlag(
    flag('b', { half: ['on'] }),
    flagSubject({ distinctId: 'u' }),
    [half],
  );
  assert.is(decision.reason, 'prerequisite');
  assert.equal(
    prerequisites.map(({ key, isMet, explanation }) => [key, isMet, explanation?.decision.reason]),
    [['half', false, 'default']],
  );
  assert.match(prerequisites[0]?.explanation?.rules[0]?.because ?? '', /is outside 0 %/);
  assert.is(rules[0]?.applies, true, 'what would be served otherwise');
});

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Flags that require earlier ones, in any order; the decision of each, read straight from the definition. */
const anyFlags = fc
  .tuple(
    ...KEYS.map((key, at) =>
      fc
        .record({
          percentage: fc.constantFrom(0, 30, 70, 100),
          halted: fc.boolean(),
          defaultVariant: fc.constantFrom('off', 'on'),
          variant: fc.constantFrom('off', 'on'),
          needs:
            at === 0
              ? fc.constant({})
              : fc.dictionary(fc.constantFrom(...KEYS.slice(0, at)), fc.subarray(['off', 'on'], { minLength: 1 }), {
                  maxKeys: 3,
                }),
        })
        .map(({ percentage, variant, needs, ...change }) =>
          flag(key, needs, { ...change, rules: [{ conditions: [], percentage, variant }] }),
        ),
    ),
  )
  .chain((flags) => fc.shuffledSubarray(flags, { minLength: KEYS.length }));

function naiveVariant(flags: FlagDefinition[], key: string, distinctId: string): string {
  const definition = flags.find((each) => each.key === key) as FlagDefinition;
  const alone = { ...definition, prerequisites: [] };
  const isMet = (definition.prerequisites ?? []).every((needed) =>
    needed.variants.includes(naiveVariant(flags, needed.key, distinctId)),
  );
  if (!definition.halted && !isMet) return definition.defaultVariant;
  return evaluateFlag(compileFlags([alone])[0] as CompiledFlag, flagSubject({ distinctId })).variant;
}

x('agree with a literal reading of the definitions', () => {
  fc.assert(
    fc.property(anyFlags, fc.integer(), (flags, id) => {
      const subject = flagSubject({ distinctId: `${id}` });
      for (const compiled of compileFlags(flags)) {
        const { variant } = evaluateFlag(compiled, subject);
        assert.is(variant, naiveVariant(flags, compiled.key, `${id}`));
        const definition = flags.find(({ key }) => key === compiled.key) as FlagDefinition;
        assert.is(
          explainFlag(
            definition,
            subject,
            flags.filter((other) => other !== definition),
          ).decision.variant,
          variant,
        );
      }
    }),
    { numRuns: 500, seed: 14 },
  );
});

x('cycles and chains are found', () => {
  const needs = (entries: Record<string, string[]>) =>
    new Map(
      Object.entries(entries).map(([key, keys]) => [
        key,
        { key, prerequisites: keys.map((needed) => ({ key: needed, variants: ['on'] })) },
      ]),
    );
  assert.equal(circleThrough('a', needs({ a: ['b', 'c'], b: [], c: ['d'], d: ['b', 'a'] })), ['a', 'c', 'd', 'a']);
  assert.is(circleThrough('a', needs({ a: ['b'], b: ['c'], c: ['b'] })), null, 'a cycle elsewhere');
  assert.is(chainThrough('c', needs({ a: ['b'], b: ['c'], c: ['d'], d: [], x: ['c'], e: ['f'], f: [] })), 4);
  assert.is(chainThrough('lone', needs({})), 1);
});

x.run();
