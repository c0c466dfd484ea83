import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isOfrepFailure,
  ofrepAnswer,
  ofrepEvaluation,
  readOfrepContext,
} from '../../../src/modules/handshake/ofrep.js';
import { compileSnapshot } from '../../../src/modules/handshake/snapshot.js';
import { flagSubject } from '../../../src/modules/switch/evaluation/flag-subject.js';
import type { StoredFlag } from '../../../src/modules/switch/flags/flag-definitions.js';
import type { FlagDefinition, FlagRule } from '../../../src/targeting/flags/flag-definition.js';

const x = suite('OpenFeature remote evaluation');

const nobody = { cohorts: [], properties: new Map<string, unknown>() };

function flag(key: string, rules: readonly FlagRule[], change: Partial<FlagDefinition> = {}): StoredFlag {
  const variants = [
    { key: 'a', value: { color: 'red' } },
    { key: 'b', value: 7 },
  ];
  return {
    id: `flg_${key}`,
    key,
    version: 2,
    variants,
    defaultVariant: 'a',
    rules,
    halted: false,
    archived: false,
    ...change,
  };
}

const to = (attribute: string, value: string, percentage = 100): FlagRule => ({
  conditions: [{ attribute, values: [value] }],
  percentage,
  variant: 'b',
});
const snapshot = compileSnapshot({
  projectId: 'p',
  environment: 'live',
  disabled: [],
  flags: [
    flag('static', []),
    flag('targeted', [to('props.plan', 'pro')]),
    flag('split', [{ conditions: [], percentage: 99.999, variant: 'b' }]),
    flag('halted', [to('platform', 'ios')], { halted: true }),
    flag('archived', [to('platform', 'ios')], { archived: true }),
  ],
  items: [],
  cohorts: [],
  release: null,
  sampleRate: 1,
});

function evaluate(key: string, context: unknown, stored = nobody) {
  const read = readOfrepContext({ context });
  if (isOfrepFailure(read)) return read.errorCode;
  const result = ofrepEvaluation(snapshot, key, flagSubject({ ...read, ...stored }));
  return isOfrepFailure(result) ? result.errorCode : `${result.reason} ${result.variant}`;
}

x('reasons use OpenFeature names', () => {
  assert.is(evaluate('static', {}), 'STATIC a');
  assert.is(evaluate('targeted', { targetingKey: 'u', plan: 'pro' }), 'TARGETING_MATCH b');
  assert.is(evaluate('targeted', { targetingKey: 'u', plan: 'free' }), 'DEFAULT a');
  assert.is(evaluate('split', { targetingKey: 'u' }), 'SPLIT b');
  assert.is(evaluate('halted', { platform: 'ios' }), 'DISABLED a');
  assert.is(evaluate('archived', { platform: 'ios' }), 'DISABLED a');
});

x('errors use OpenFeature codes', () => {
  assert.is(evaluate('nothing', {}), 'FLAG_NOT_FOUND');
  assert.is(evaluate('split', {}), 'TARGETING_KEY_MISSING');
  assert.is(evaluate('split', { targetingKey: 5 }), 'INVALID_CONTEXT');
  assert.is(evaluate('static', []), 'INVALID_CONTEXT');
  for (const body of [null, [], 'x', 7])
    assert.is((readOfrepContext(body) as { errorCode: string }).errorCode, 'PARSE_ERROR');
  assert.not(isOfrepFailure(readOfrepContext({})), 'the context may be omitted');
});

x('request data overrides stored data', () => {
  const stored = { cohorts: [], properties: new Map<string, unknown>([['plan', 'pro']]) };
  assert.is(evaluate('targeted', { targetingKey: 'u' }, stored), 'TARGETING_MATCH b');
  assert.is(evaluate('targeted', { targetingKey: 'u', plan: 'free' }, stored), 'DEFAULT a');
});

x('one evaluation has the fields of the protocol', () => {
  assert.equal(ofrepEvaluation(snapshot, 'static', flagSubject({})), {
    key: 'static',
    reason: 'STATIC',
    variant: 'a',
    value: { color: 'red' },
    metadata: { version: 2 },
  });
});

x('all flags at once, including a failing one, have a strong tag', () => {
  const bulk = (distinctId: string | null) => ofrepAnswer(snapshot, flagSubject({ distinctId }));
  const { flags } = JSON.parse(bulk(null).json());
  assert.equal(
    flags.map((entry: { key: string }) => entry.key),
    ['archived', 'halted', 'split', 'static', 'targeted'],
  );
  assert.is(flags[2].errorCode, 'TARGETING_KEY_MISSING');
  for (const entry of flags) {
    assert.equal(entry, JSON.parse(JSON.stringify(ofrepEvaluation(snapshot, entry.key, flagSubject({})))));
  }
  assert.is(bulk('u1').etag, bulk('u2').etag);
  assert.is.not(bulk(null).etag, bulk('u1').etag);
});

x.run();
