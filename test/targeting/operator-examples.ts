import type { Condition, OperatorName, Scalar } from '../../src/targeting/condition.js';

/** A subject as `docs/vectors` writes it. */
export interface WrittenSubject {
  readonly distinct_id?: string;
  readonly app_version?: string;
  readonly os_version?: string;
  readonly platform?: string;
  readonly locale?: string;
  readonly cohorts?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly now?: string;
}

/** Examples of one operator. */
export interface OperatorExamples {
  /** Values that a condition may have, each with a suitable attribute. */
  readonly good: readonly [attribute: string, values: readonly Scalar[]][];
  /** Conditions that are refused, with the path of the error. */
  readonly bad: readonly [attribute: string, values: readonly Scalar[], path: string][];
  /** Subjects for whom a condition holds, neither it nor its negation holds, or its negation holds. */
  readonly asked: readonly [
    Omit<Condition, 'operator' | 'negate'>,
    WrittenSubject,
    answer: 'holds' | 'its negation holds' | 'neither',
  ][];
}

const props = (value: unknown): WrittenSubject => ({ properties: { p: value } });
const on = (...values: Scalar[]) => ({ attribute: 'props.p', values });
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const NOW = '2026-11-22T12:00:00.000Z';
const [holds, negated, neither] = ['holds', 'its negation holds', 'neither'] as const;
const texts = (wanted: string, found: string, missed: string): OperatorExamples => ({
  good: [
    ['props.p', [wanted]],
    ['platform', [wanted]],
    ['locale', [wanted]],
    ['cohort', [wanted]],
    ['context.a.b', [wanted]],
  ],
  bad: [
    ['props.p', [5], 'values[0]'],
    ['props.p', [true], 'values[0]'],
    ['props.p', [''], 'values[0]'],
    ['props.p', [], 'values'],
    ['now', [wanted], 'operator'],
  ],
  asked: [
    [on(wanted), props(found), holds],
    [on(wanted), props(missed), negated],
    [on('#', wanted), props(found), holds],
    [on(wanted), props(['#', found]), holds],
    [on(wanted), props([]), negated],
    [on(wanted), props(5), neither],
    [on(wanted), props(true), neither],
    [on(wanted), props({ [wanted]: wanted }), neither],
    [on(wanted), props(''), negated],
    [on(wanted), props(`${'#'.repeat(1_025)}${found}`), neither],
    [on(wanted), props(times(33, () => found)), neither],
    [on(wanted), props([found, '#'.repeat(1_024)]), neither],
    [on(wanted), props(null), neither],
    [on(wanted), {}, neither],
    [{ attribute: 'cohort', values: [wanted] }, { cohorts: [found] }, holds],
    [{ attribute: 'cohort', values: [wanted] }, {}, negated],
  ],
});
const numbers = (less: boolean, equal: boolean): OperatorExamples => ({
  good: [
    ['props.p', [0]],
    ['props.p', [-1.5]],
    ['context.n', [1e9]],
    ['props.p', [Number.MAX_SAFE_INTEGER]],
  ],
  bad: [
    ['props.p', ['5'], 'values[0]'],
    ['props.p', [Number.MAX_SAFE_INTEGER + 1], 'values[0]'],
    ['props.p', [Number.POSITIVE_INFINITY], 'values[0]'],
    ['props.p', [Number.NaN], 'values[0]'],
    ['props.p', [true], 'values[0]'],
    ['props.p', [1, 2], 'values'],
    ['props.p', [], 'values'],
    ['app_version', [2], 'operator'],
    ['cohort', [2], 'operator'],
  ],
  asked: [
    [on(10), props(9.5), less ? holds : negated],
    [on(10), props(10), equal ? holds : negated],
    [on(10), props(10.5), less ? negated : holds],
    [on(10), props('9'), neither],
    [on(1.9), props('1.10'), neither],
    [on(10), props(true), neither],
    [on(10), props([50, less ? 9 : 11]), holds],
    [on(10), props({ n: 9 }), neither],
    [on(0), props(-0), equal ? holds : negated],
    [on(10), props('1e1'), neither],
    [on(10), props(''), neither],
    [on(Number.MAX_SAFE_INTEGER), props(2 ** 53 + 2), less ? negated : holds],
    [on(10), props(times(33, () => (less ? 9 : 11))), neither],
    [on(10), props(null), neither],
  ],
});
const instants = (early: boolean): OperatorExamples => ({
  good: [
    ['props.p', ['2026-11-22T10:00:00Z']],
    ['props.p', ['2026-11-22']],
    ['props.p', ['-7d']],
    ['now', ['2026-12-24T18:00+01:00']],
    ['context.at', ['+12h']],
  ],
  bad: [
    ['props.p', ['yesterday'], 'values[0]'],
    ['props.p', ['2026-02-30'], 'values[0]'],
    ['props.p', ['2026-11-22T10:00:00'], 'values[0]'],
    ['props.p', ['-7 days'], 'values[0]'],
    ['props.p', [1_795_348_800_000], 'values[0]'],
    ['props.p', ['-7d', '-8d'], 'values'],
    ['app_version', ['-7d'], 'operator'],
  ],
  asked: [
    [on('2026-11-22T10:00:00Z'), props('2026-11-22T10:59:59+01:00'), early ? holds : negated],
    [on('2026-11-22T10:00:00Z'), props('2026-11-22T10:00:00.001Z'), early ? negated : holds],
    [on('2026-11-22T10:00:00Z'), props('2026-11-22T10:00Z'), negated],
    [on('2026-11-22'), props('2026-11-21'), early ? holds : negated],
    [on('-7d'), { ...props('2026-11-15T12:00:01Z'), now: NOW }, early ? negated : holds],
    [on('-7d'), { ...props('2026-11-15T11:59:59Z'), now: NOW }, early ? holds : negated],
    [{ attribute: 'now', values: ['2026-11-22T12:00:01Z'] }, { now: NOW }, early ? holds : negated],
    [on('2026-11-22'), props('2026-11-21T10:00:00'), negated],
    [on('2026-11-22'), props('soon'), negated],
    [on('2026-11-22T00:00Z'), props('2026-11-22T01:59:59+02:00'), early ? holds : negated],
    [on('2026-11-22T00:00Z'), props('2026-11-21T22:00:00.001-02:00'), early ? negated : holds],
    [on('2017-01-01T00:00:00.001Z'), props('2016-12-31T23:59:60Z'), early ? holds : negated],
    [on('2016-12-31T23:59:59.999Z'), props('2016-12-31T23:59:60Z'), early ? negated : holds],
    [on('2026-11-22'), props('2026-11-21t10:00:00z'), early ? holds : negated],
    [on('2026-11-22'), props('2026-11-21 10:00:00Z'), negated],
    [on('2026-11-22'), props('2026-13-01'), negated],
    [on('2026-11-22'), props(''), negated],
    [on('2026-11-22'), props(1_795_348_800_000), neither],
    [on('2026-11-22'), props(null), neither],
  ],
});

/** Good and bad examples of EVERY operator. */
export const operatorExamples: Readonly<Record<OperatorName, OperatorExamples>> = {
  in: {
    good: [
      ['distinct_id', ['u1']],
      ['props.p', ['', 5, true]],
      ['country', ['DE']],
      ['cohort', ['beta']],
      ['release', ['1.0']],
    ],
    bad: [
      ['props.p', [], 'values'],
      ['props.p', [Number.NaN], 'values[0]'],
      ['props.p', [Number.NEGATIVE_INFINITY], 'values[0]'],
      ['props.p', [-(2 ** 53)], 'values[0]'],
      ['props.', ['a'], 'attribute'],
      ['weather', ['a'], 'attribute'],
      ['now', ['a'], 'operator'],
    ],
    asked: [
      [on('pro', 'team'), props('team'), holds],
      [on('pro'), props('Pro'), negated],
      [on(42), props(42), holds],
      [on('42'), props(42), negated],
      [on(42), props('42'), negated],
      [on(1), props(true), negated],
      [on(true), props(true), holds],
      [on('a'), props(['b', 'a']), holds],
      [on('a'), props([['a'], { a: 'a' }, null]), negated],
      [on(5), props(['5', true]), negated],
      [on('b499'), props(times(1_000, (at) => `b${at}`)), holds],
      [on('b499'), props(times(1_001, (at) => `b${at}`)), neither],
      [on(0), props(-0), holds],
      [on(1_000), props('1e3'), negated],
      [on('1000'), props(1e3), negated],
      [on(Number.MAX_SAFE_INTEGER), props(2 ** 53), negated],
      [on('9007199254740993'), props('9007199254740993'), holds],
      [on(''), props(''), holds],
      [on(''), {}, neither],
      [on('a'), props(''), negated],
      [on('é'), props('e\u0301'), negated],
      [on('straße'), props('STRASSE'), negated],
      [on(' a'), props('a'), negated],
      [{ attribute: 'platform', values: ['İOS'] }, { platform: 'i\u0307os' }, holds],
      [{ attribute: 'platform', values: ['ios'] }, { platform: '' }, neither],
      [{ attribute: 'locale', values: ['en'] }, { locale: 'en-GB' }, negated],
      [{ attribute: 'locale', values: ['zh_Hant_TW'] }, { locale: 'zh-Hant-TW' }, holds],
      [{ attribute: 'country', values: ['DE'] }, { properties: { country: 49 } }, neither],
      [{ attribute: 'release', values: ['1.0'] }, { properties: { release: 1 } }, negated],
      [{ attribute: 'cohort', values: ['Beta'] }, { cohorts: ['beta'] }, negated],
      [{ attribute: 'props.a.b.c', values: ['x'] }, { properties: { a: { 'b.c': 'x' } } }, neither],
      [{ attribute: 'props.a.b', values: ['x'] }, { properties: { a: [{ b: 'x' }] } }, neither],
      [{ attribute: 'props.a.b', values: ['x'] }, { properties: { a: { b: 'x' }, 'a.b': null } }, neither],
      [{ attribute: 'props.a.0', values: ['x'] }, { properties: { a: ['x'] } }, neither],
      [{ attribute: 'props.a.length', values: [1] }, { properties: { a: 'x' } }, neither],
      [{ attribute: 'props.__proto__.x', values: ['x'] }, { properties: {} }, neither],
      [{ attribute: 'props.plan', values: ['pro'] }, { properties: { plan: 'pro' }, context: { plan: null } }, neither],
      [on('a'), props([]), negated],
      [on('a'), props({ a: 'a' }), neither],
      [on('a'), props(null), neither],
      [on('a'), {}, neither],
      [{ attribute: 'platform', values: ['iOS'] }, { platform: 'IOS' }, holds],
      [{ attribute: 'locale', values: ['en-GB'] }, { locale: 'en_gb' }, holds],
      [{ attribute: 'country', values: ['DE'] }, { properties: { country: 'de' } }, holds],
      [
        { attribute: 'country', values: ['DE'] },
        { properties: { country: 'de' }, context: { country: 'FR' } },
        negated,
      ],
      [{ attribute: 'cohort', values: ['beta'] }, { cohorts: ['beta'] }, holds],
      [{ attribute: 'cohort', values: ['beta'] }, {}, negated],
      [{ attribute: 'distinct_id', values: ['u1'] }, { distinct_id: 'u1' }, holds],
      [{ attribute: 'distinct_id', values: ['u1'] }, {}, neither],
      [{ attribute: 'props.a.b', values: ['x'] }, { properties: { a: { b: 'x' } } }, holds],
      [{ attribute: 'props.a.b', values: ['x'] }, { properties: { a: { b: 'x' }, 'a.b': 'y' } }, negated],
      [{ attribute: 'props.plan', values: ['pro'] }, { properties: { plan: 'free' }, context: { plan: 'pro' } }, holds],
      [{ attribute: 'context.plan', values: ['pro'] }, { properties: { plan: 'pro' } }, neither],
    ],
  },
  contains: texts('ana', 'banana', 'Banana'.toUpperCase()),
  starts_with: texts('ba', 'banana', 'a ba'),
  ends_with: texts('na', 'banana', 'nab'),
  matches: {
    ...texts('^b(an)+a$', 'banana', 'bananas'),
    bad: [
      ['props.p', ['(a'], 'values[0]'],
      ['props.p', ['(?=a)'], 'values[0]'],
      ['props.p', [5], 'values[0]'],
      ['props.p', [], 'values'],
      ['now', ['a'], 'operator'],
    ],
  },
  lt: numbers(true, false),
  lte: numbers(true, true),
  gt: numbers(false, false),
  gte: numbers(false, true),
  before: instants(true),
  after: instants(false),
  semver: {
    good: [
      ['app_version', ['>=2.1 <3', '4.x']],
      ['os_version', ['^17']],
      ['release', ['*']],
      ['props.p', ['~1.2.3']],
    ],
    bad: [
      ['app_version', ['new'], 'values[0]'],
      ['app_version', [''], 'values[0]'],
      ['app_version', [2], 'values[0]'],
      ['app_version', [], 'values'],
      ['platform', ['1'], 'operator'],
    ],
    asked: [
      [on('>=1.9'), props('1.10'), holds],
      [on('<1.9'), props('1.10'), negated],
      [on('<1.9', '1.10.x'), props('1.10'), holds],
      [on('>=1'), props('nightly'), negated],
      [on('>=1'), props(1.5), neither],
      [on('>=1'), props(null), neither],
      [on('>=1'), props(''), negated],
      [on('>=1'), props('1e3'), negated],
      [on('>=1.2.3'), props(' v1.2.3 '), holds],
      [on('=2.0.0'), props('2.0.0+build.7'), holds],
      [on('=2.0.0+1'), props('2.0.0+2'), holds],
      [on('<2.0.0-rc.10'), props('2.0.0-rc.9'), holds],
      [on('>2.0.0-alpha'), props('2.0.0-alpha.1'), holds],
      [on('>2.0.0-1'), props('2.0.0-a'), holds],
      [on('>=2.0.0-rc.1'), props('2.0.0-RC.1'), negated],
      [on('^2.0.0'), props('3.0.0-rc.1'), negated],
      [on('~1.2'), props('1.3.0-beta'), negated],
      [on('<1.0.0.5'), props('1.0.0.4'), holds],
      [on('>=1'), props(times(32, () => '0.1').concat('1.0')), neither],
      [on('>=1'), props(times(31, () => '0.1').concat('1.0')), holds],
      [{ attribute: 'os_version', values: ['>=17'] }, { os_version: '18.1' }, holds],
      [{ attribute: 'app_version', values: ['>=2.0.0'] }, { app_version: '2.0.0-rc.1' }, negated],
    ],
  },
  exists: {
    good: [
      ['distinct_id', []],
      ['props.p', []],
      ['context.a.b', []],
    ],
    bad: [
      ['props.p', ['a'], 'values'],
      ['cohort', [], 'operator'],
    ],
    asked: [
      [on(), props(''), holds],
      [on(), props(false), holds],
      [on(), props([]), holds],
      [on(), props({}), holds],
      [on(), props(null), negated],
      [on(), {}, negated],
      [{ attribute: 'distinct_id', values: [] }, { distinct_id: '' }, negated],
      [{ attribute: 'props.a.b', values: [] }, { properties: { a: { b: null } } }, negated],
      [{ attribute: 'props.a.b', values: [] }, { properties: { a: 'b' } }, negated],
      [{ attribute: 'country', values: [] }, { properties: { country: 49 } }, negated],
      [on(), props(times(1_001, String)), holds],
    ],
  },
  cohort: {
    good: [
      ['distinct_id', ['beta']],
      ['cohort', ['beta', 'staff']],
    ],
    bad: [
      ['distinct_id', [''], 'values[0]'],
      ['distinct_id', [5], 'values[0]'],
      ['props.p', ['beta'], 'operator'],
      ['cohort', [], 'values'],
    ],
    asked: [
      [{ attribute: 'distinct_id', values: ['beta'] }, { distinct_id: 'u1', cohorts: ['beta'] }, holds],
      [{ attribute: 'distinct_id', values: ['beta'] }, { distinct_id: 'u1', cohorts: ['Beta'] }, negated],
      [{ attribute: 'distinct_id', values: ['beta'] }, { cohorts: ['beta'] }, neither],
      [{ attribute: 'cohort', values: ['a', 'beta'] }, { cohorts: ['x', 'beta'] }, holds],
    ],
  },
};
