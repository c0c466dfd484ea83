import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cohortOf, type WrittenCohort } from '../../src/sdk/node/definitions.js';
import { compileCohort } from '../../src/targeting/cohorts/compiled-cohort.js';
import { Compilation } from '../../src/targeting/compilation.js';
import { compileCondition } from '../../src/targeting/compile-condition.js';
import { type Condition, OPERATOR_NAMES } from '../../src/targeting/condition.js';
import { compileFlags, evaluateFlag } from '../../src/targeting/flags/compiled-flag.js';
import type { FlagDefinition } from '../../src/targeting/flags/flag-definition.js';
import { parseInstant } from '../../src/targeting/instant.js';
import { compilePattern } from '../../src/targeting/patterns/compile-pattern.js';
import type { Prerequisite } from '../../src/targeting/prerequisites/prerequisite.js';
import { allocate, type Share } from '../../src/targeting/rules/allocation.js';
import { bucketOf } from '../../src/targeting/rules/bucket.js';
import { compileRules, decideRules } from '../../src/targeting/rules/compile-rules.js';
import { leadingBits } from '../../src/targeting/rules/leading-bits.js';
import type { Rule } from '../../src/targeting/rules/rule.js';
import { compareVersions, parseVersion, parseVersionRange } from '../../src/targeting/versions/version-range.js';
import { operatorExamples, type WrittenSubject } from './operator-examples.js';
import { readSubject } from './written-subject.js';

const FOLDER = 'docs/vectors';

function conditionVectors() {
  return OPERATOR_NAMES.flatMap((operator) =>
    operatorExamples[operator].asked.flatMap(([example, subject]) =>
      [false, true].map((negate) => conditionVector({ ...example, operator, negate }, subject)),
    ),
  );
}

function plainVectors() {
  const subject: WrittenSubject = {
    distinct_id: 'u1',
    platform: 'IOS',
    app_version: '2.10',
    cohorts: ['beta'],
    properties: { age: 42, paid: true, plan: 'pro', tags: ['a'], a: { b: 'x' }, 'c.d': 'y' },
  };
  const conditions: [string, string[]][] = [
    ['distinct_id', ['u1']],
    ['platform', ['ios']],
    ['app_version', ['>=2.9 <3']],
    ['cohort', ['a', 'beta']],
    ['props.age', ['42']],
    ['props.paid', ['true']],
    ['props.plan', ['Pro']],
    ['props.tags', ['a']],
    ['props.a.b', ['x']],
    ['props.c.d', ['y']],
  ];
  return conditions.map(([attribute, values]) => conditionVector({ attribute, values }, subject));
}

function conditionVector(condition: Condition, subject: WrittenSubject) {
  return { condition, subject, holds: compileCondition(condition).holds(readSubject(subject)) };
}

function bucketVectors() {
  const pairs = [
    'checkout:user-1',
    'checkout:split:user-1',
    'dark-mode:user-1',
    'flag:Ωmega 🚀',
    'a:',
    `k:${'x'.repeat(200)}`,
  ];
  return pairs.map((text) => {
    const at = text.lastIndexOf(':');
    const [salt, id] = [text.slice(0, at), text.slice(at + 1)];
    return { salt, id, bucket: bucketOf(leadingBits, salt, id) };
  });
}

const shares = (...weights: number[]): Share[] => weights.map((weight, at) => ({ value: `v${at}`, weight }));

function splitVectors() {
  const steps: [Share[] | null, Share[]][] = [
    [null, shares(1, 3)],
    [null, shares(1, 1, 1)],
    [allocate(null, shares(50, 25, 25)), shares(60, 25, 15)],
    [allocate(null, shares(50, 50)), shares(50, 50, 100)],
    [allocate(null, shares(1, 1, 2)), shares(1, 0, 3)],
  ];
  return steps.map(([present, wanted]) => ({ present, wanted, allocated: allocate(present, wanted) }));
}

function ruleVectors() {
  const plan: Condition = { attribute: 'props.plan', operator: 'in', values: ['pro'] };
  const rules: Rule[] = [
    { conditions: [plan, { attribute: 'app_version', operator: 'semver', values: ['>=2'] }], percentage: 100 },
    { conditions: [], percentage: 30 },
    { conditions: [], percentage: 50, salt: 'again' },
    { conditions: [], percentage: 50, bucketBy: 'props.company' },
    { conditions: [], percentage: 80, split: allocate(null, shares(1, 2)) },
  ];
  const subjects: WrittenSubject[] = [
    { distinct_id: 'user-1', properties: { plan: 'pro' }, app_version: '2.0' },
    { properties: { plan: 'pro' }, app_version: '2.0' },
    { properties: { company: 'acme' } },
    { properties: { company: 17 } },
    {},
    ...Array.from({ length: 12 }, (_, at) => ({ distinct_id: `user-${at}` })),
  ];
  const byCompany: Rule[] = [{ conditions: [], percentage: 99.999, bucketBy: 'props.company' }];
  const text = 'x'.repeat(1024);
  const companies = [
    'acme',
    '',
    ' ',
    text,
    `${text}x`,
    17,
    -17,
    0,
    1.5,
    2 ** 53 - 1,
    2 ** 53,
    1e21,
    true,
    null,
    ['acme'],
    {},
  ];
  const bucketed = companies.map((company): WrittenSubject => ({ distinct_id: 'u', properties: { company } }));
  // One share covers every bucket, so it needs none.
  const oneShare: Rule[] = [{ conditions: [], percentage: 100, split: allocate(null, shares(1)) }];
  return [...ruleCases(rules, subjects), ...ruleCases(byCompany, bucketed), ...ruleCases(oneShare, [{}])];
}

function ruleCases(rules: readonly Rule[], subjects: readonly WrittenSubject[]) {
  const compiled = compileRules(rules, 'checkout');
  return subjects.map((subject) => {
    const outcome = decideRules(compiled, readSubject(subject));
    const rule = compiled.rules.findLastIndex((each) => each.outcome <= outcome);
    const decided = outcome === 0 ? null : { rule, share: outcome - (compiled.rules[rule]?.outcome ?? 0) };
    return { salt: 'checkout', rules, subject, decided };
  });
}

/** A cohort as definitions write it, except that a rule's fields are named as in the other vectors. */
type VectorCohort = Omit<WrittenCohort, 'rules'> & { readonly rules: readonly Rule[] };

/** Cohorts, and which of them a subject is in. */
function cohortVectors() {
  const plan: Condition = { attribute: 'props.plan', operator: 'in', values: ['pro', 'team'] };
  const cohort = (number: number, name: string, members: Partial<VectorCohort>): VectorCohort => {
    const id = `019a9c6e-000${number}`;
    return { name, id, predicate: null, rules: [], listed: members.id_hashes?.length ?? 0, id_hashes: [], ...members };
  };
  const hashed = (number: number, distinctId: string) =>
    hash('sha256', `019a9c6e-000${number}:${distinctId}`).slice(0, 16);
  const companies: Rule = { conditions: [], percentage: 50, bucketBy: 'props.company' };
  const beginners: Condition = { attribute: 'props.joined', operator: 'after', values: ['-7d'] };
  const cohorts = [
    cohort(1, 'paying', { rules: [{ conditions: [plan], percentage: 100 }] }),
    cohort(2, 'half', { rules: [{ conditions: [], percentage: 50 }] }),
    cohort(3, 'half of those', { rules: [{ conditions: [plan], percentage: 50, salt: 'pilot' }] }),
    cohort(4, 'companies, or beginners', { rules: [companies, { conditions: [beginners], percentage: 100 }] }),
    cohort(5, 'nobody', { rules: [{ conditions: [], percentage: 0 }] }),
    cohort(6, 'friends', { id_hashes: [hashed(6, 'user-2'), hashed(6, 'Ωmega 🚀')] }),
    cohort(7, 'friends, or paying', {
      id_hashes: [hashed(7, 'user-3')],
      rules: [{ conditions: [plan], percentage: 100 }],
    }),
    cohort(8, 'stored as pro', { predicate: { key: 'plan', value: 'pro' } }),
    cohort(9, 'seven, or true and pro', {
      predicate: {
        any: [
          { key: 'company', value: '7' },
          {
            all: [
              { key: 'beta', value: 'true' },
              { key: 'plan', value: 'pro' },
            ],
          },
        ],
      },
    }),
  ];
  const subjects: WrittenSubject[] = [
    {},
    { distinct_id: 'user-1', properties: { plan: 'pro' } },
    { distinct_id: 'user-2', properties: { plan: 'free' }, context: { plan: 'team' } },
    { distinct_id: 'Ωmega 🚀', properties: { plan: 'pro', beta: true }, context: { plan: 'free' } },
    { properties: { company: 'acme', joined: '2026-11-20' } },
    { properties: { company: 7, plan: ['pro'] } },
    { properties: { company: '7', plan: null } },
    ...Array.from({ length: 6 }, (_, at) => ({ distinct_id: `user-${at}`, properties: { company: at } })),
  ];
  const compiled = cohorts.map(({ rules, ...members }) => {
    const written = rules.map(({ bucketBy, ...rule }) => ({ ...rule, bucket_by: bucketBy ?? null }));
    return compileCohort(cohortOf({ ...members, rules: written }), new Compilation());
  });
  return subjects.map((subject) => {
    const members = compiled.filter(({ holds }) => holds(readSubject(subject)));
    return { cohorts, subject, members: members.map(({ name }) => name) };
  });
}

/** Flags that require each other, and what each serves. The reasons are those of the handshake. */
function flagVectors() {
  const flag = (key: string, prerequisites: Prerequisite[], change: Partial<FlagDefinition> = {}): FlagDefinition => ({
    key,
    version: 1,
    variants: [
      { key: 'off', value: false },
      { key: 'on', value: true },
    ],
    defaultVariant: 'off',
    rules: [{ conditions: [], percentage: 100, variant: 'on' }],
    prerequisites,
    halted: false,
    archived: false,
    ...change,
  });
  const on = (key: string) => ({ key, variants: ['on'] });
  const flags = [
    flag('asks-half', [on('half')]),
    flag('half', [], { rules: [{ conditions: [], percentage: 50, variant: 'on' }] }),
    flag('asks-asks-half', [on('asks-half')]),
    flag('asks-halted', [on('halted')]),
    flag('halted', [], { halted: true }),
    flag('asks-default', [{ key: 'halted', variants: ['off'] }]),
    flag('asks-either', [{ key: 'half', variants: ['off', 'on'] }]),
    flag('asks-both', [on('half'), on('halted')]),
    flag('asks-gone', [on('gone')]),
    flag('halted-asks', [on('halted')], { halted: true }),
  ];
  const compiled = compileFlags(flags);
  return [{ distinct_id: 'user-1' }, { distinct_id: 'user-2' }, {}].map((subject: WrittenSubject) => {
    const decided = compiled.map((each) => {
      const { variant, reason } = evaluateFlag(each, readSubject(subject));
      return [each.key, { variant, reason }];
    });
    return { flags, subject, decided: Object.fromEntries(decided) };
  });
}

function versionVectors() {
  const versions = [
    '1',
    '1.9',
    '1.10',
    '2.0.0-rc.1',
    '2.0.0-rc.10',
    '2.0.0',
    'v2.0.0+5',
    '2.0.0.1',
    '1e3',
    '1.2.3.4.5',
    'nightly',
    '1.',
    '',
    '1.0.0-alpha',
    '1.0.0-alpha.x',
    '1.0.0-rc.1',
    '1.0.0-01',
    '1.0.0-1',
    '1.0.0-02',
    ' \t2.0.0\r\n',
    '1.0.0-',
    '1.0.0-a..b',
  ];
  const plain = ['>=1.9 <2', '^1.9', '~2.0.0', '2.x', '*', '>=2.0.0-rc.2', '<1 || >2.0.0', '=>1', '>= 2.0.0   <\t3'];
  const suffixed = ['=1.0.0-alpha.x', '>1.0.0-alpha.x', '<1.0.0-beta.X', '1+b.1.2', '1.x-alpha', '1.x+b'];
  const ranges = [...plain, ...suffixed];
  const inside = (range: string, text: string) => {
    const [test, version] = [parseVersionRange(range), parseVersion(text)];
    return test === null || version === null ? null : test(version);
  };
  const read = versions.map(parseVersion);
  return [
    ...ranges.flatMap((range) => versions.map((version) => ({ range, version, inside: inside(range, version) }))),
    ...versions.flatMap((version, at) => {
      const [one, other] = [read[at], read[at + 1]];
      return one && other ? [{ version, next: versions[at + 1], order: Math.sign(compareVersions(one, other)) }] : [];
    }),
  ];
}

function patternVectors() {
  const patterns = [
    '^b(an)+a$',
    '(?i)^PRO',
    'a.c',
    '^$',
    '[^\\d]',
    'x{2,3}$',
    '[a\\]-]',
    '\\.com$',
    'e(n|t)',
    '(?i)^k',
    '^.$',
    '^é$',
    '^a\\sc$',
    '(?i)^\u212a',
  ];
  const texts = [
    '',
    'banana',
    'professional',
    'abc',
    'a\nc',
    'a🚀c',
    '11',
    'xx',
    'x',
    'a]',
    'example.com',
    'examplexcom',
    'event',
    'PRO',
    '\u212aelvin',
    'e\u0301',
    'a\vc',
    'a\fc',
    'kelvin',
  ];
  return patterns.flatMap((pattern) => {
    const { matches } = compilePattern(pattern);
    return texts.map((text) => ({ pattern, text, matches: matches(text) }));
  });
}

function instantVectors() {
  const texts = [
    '2026-11-22',
    '2026-11-22T10:00Z',
    '2026-11-22T10:00:00.5+01:30',
    '2026-02-30',
    '2026-11-22T10:00',
    '2026-11-22T24:00Z',
    '2026-11-22t10:00:00z',
    '2026-11-22 10:00:00Z',
    '2026-11-22T00:30:00+14:00',
    '2026-11-22T23:30:00-00:00',
    '2026-11-22T10:00:00.1239Z',
    '2016-12-31T23:59:60Z',
    '2017-01-01T01:29:60.5+01:30',
    '2026-11-22T23:59:60Z',
    '2024-02-29',
    '0099-01-01',
    '+002026-11-22',
    '2026-W47-7',
    '1795348800',
    '',
  ];
  return texts.map((text) => ({ text, milliseconds: parseInstant(text) }));
}

/** Every file of `docs/vectors` with its expected text, one case per line. */
export function vectorFiles(): Map<string, string> {
  const files: Record<string, readonly object[]> = {
    'conditions.json': conditionVectors(),
    'plain-conditions.json': plainVectors(),
    'buckets.json': bucketVectors(),
    'splits.json': splitVectors(),
    'rules.json': ruleVectors(),
    'flags.json': flagVectors(),
    'cohorts.json': cohortVectors(),
    'versions.json': versionVectors(),
    'patterns.json': patternVectors(),
    'instants.json': instantVectors(),
  };
  return new Map(
    Object.entries(files).map(([name, cases]) => [
      name,
      `[\n${cases.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`,
    ]),
  );
}

/** Rewrites the files. */
export function writeVectors(): void {
  for (const [name, text] of vectorFiles()) writeFileSync(join(FOLDER, name), text);
}

/** The files as stored. */
export function storedVectors(): Map<string, string> {
  return new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));
}
