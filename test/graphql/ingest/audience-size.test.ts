import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { systemCaller } from '../../../src/kernel/context.js';
import { AudienceService } from '../../../src/modules/ingest/audience/audience.service.js';
import { PersonSamples, type SampleBudget } from '../../../src/modules/ingest/audience/person-sample.js';
import type { Rule } from '../../../src/targeting/rules/rule.js';
import { refusalOf } from '../../support/client.js';
import type { World } from '../../support/factories/factories.js';
import { worldPerTestSuite } from '../../support/factories/world-suite.js';
import type { TestApp } from '../../support/test-app.js';
import { anyRules, anySubject } from '../../targeting/generated-rules.js';
import { naiveOutcome } from '../../targeting/naive-evaluator.js';

interface Size {
  persons: number;
  total: number;
  isEstimate: boolean;
  margin: number;
  assumed: string[];
  rules: { covered: number; decided: number }[];
}

const audience = worldPerTestSuite('the size of audiences');

async function sizeOf(world: World, rules: object[], salt: string | null = null): Promise<Size> {
  const { audienceSize } = await world.owner.client.graphql<{ audienceSize: Size }>(
    `query($p: ID!, $rules: [AudienceRuleInput!]!, $salt: String) { audienceSize(projectId: $p, rules: $rules, salt: $salt) {
      persons total isEstimate margin assumed rules { covered decided } } }`,
    { p: world.projectId, rules, salt },
  );
  return audienceSize;
}

async function store(world: World, persons: [id: string, properties: object][]): Promise<void> {
  const operations = persons.map(([distinct_id, properties]) => ({
    type: 'people',
    payload: { distinct_id, properties },
  }));
  const { status, text } = await world.live.post('/api/v1/batch', { operations });
  assert.is(status, 200, text);
}

async function makeCohort({ owner, projectId }: World, input: object): Promise<void> {
  await owner.client.graphql('mutation($input: CreateCohortInput!) { createCohort(input: $input) { id } }', {
    input: { projectId, ...input },
  });
}

const equals = (attribute: string, ...values: unknown[]) => ({ attribute, operator: 'in', values });

audience('counts the people each rule covers, and those it decides for', async ({ world }) => {
  await store(world, [
    ['a', { plan: 'pro', seats: 5 }],
    ['b', { plan: 'pro', seats: 50 }],
    ['c', { plan: 'free' }],
    ['d', {}],
  ]);
  await world.live.post('/api/v1/alias', { alias_id: 'second', distinct_id: 'c' });
  const rules = [
    { conditions: [equals('props.plan', 'pro')] },
    { conditions: [{ attribute: 'props.seats', operator: 'gte', values: [50] }] },
    { conditions: [equals('distinct_id', 'second')] },
  ];
  assert.equal(await sizeOf(world, rules), {
    persons: 3,
    total: 4,
    isEstimate: false,
    margin: 0,
    assumed: [],
    rules: [
      { covered: 2, decided: 2 },
      { covered: 1, decided: 0 },
      { covered: 1, decided: 1 },
    ],
  });
  assert.equal((await sizeOf(world, [])).persons, 0);
  assert.equal((await sizeOf(world, [{}])).persons, 4);
});

audience('assumes that conditions depending only on the request hold, and names them', async ({ world }) => {
  await store(world, [
    ['a', { plan: 'pro' }],
    ['b', { plan: 'free' }],
  ]);
  const ios = equals('platform', 'ios');
  const newer = { attribute: 'app_version', operator: 'semver', values: ['>=2'] };
  const size = await sizeOf(world, [
    { conditions: [ios, newer, equals('props.plan', 'pro')] },
    { bucketBy: 'context.team', percentage: 0 },
  ]);
  assert.equal([size.persons, size.assumed], [1, ['app_version', 'context.team', 'platform']]);
});

audience('is for Editors, and errors in rules are named by their path', async ({ world }) => {
  const refusal = await refusalOf(
    sizeOf(world, [{ conditions: [{ attribute: 'props.a', operator: 'lt', values: ['1'] }] }]),
  );
  assert.is(refusal.code, 'BAD_AUDIENCE');
  const details = refusal.errors[0]?.extensions.details as { problems: { path: string }[] } | undefined;
  assert.equal(
    details?.problems.map(({ path }) => path),
    ['rules[0].conditions[0].values[0]'],
  );
});

const REQUEST = ['platform', 'app_version', 'os_version', 'locale'];
const ofRequest = (attribute: string) => REQUEST.includes(attribute) || attribute.startsWith('context.');

audience('SQL covers everyone whom the evaluator covers, whatever the rules', async ({ test, world }) => {
  const facts = fc.sample(anySubject, { numRuns: 150, seed: 7 });
  const persons = facts.map(({ properties }, at): [string, Record<string, unknown>] => [
    `user-${at}`,
    Object.fromEntries(
      [...((properties as Map<string, unknown>) ?? [])].filter(([key, value]) => value !== null && key !== '__proto__'),
    ),
  ]);
  await store(world, persons);
  await makeCohort(world, { name: 'beta', predicate: 'OR(props.plan = "pro", props.a = "42")' });
  await makeCohort(world, { name: 'pro', distinctIds: persons.slice(0, 20).map(([id]) => id) });
  const starting = { attribute: 'props.plan', operator: 'starts_with', values: ['fr'] };
  const trueCompany = { attribute: 'props.company', values: ['true'] };
  await makeCohort(world, {
    name: 'staff',
    distinctIds: ['user-30'],
    rules: [{ conditions: [starting, trueCompany] }],
  });
  const text = (value: unknown) => (typeof value === 'object' ? '' : String(value));
  const startsFree = (plan: unknown) =>
    [plan].flat().some((entry) => typeof entry === 'string' && entry.startsWith('fr'));
  const cohortsOf = (id: string, { plan, a, company }: Record<string, unknown>) => [
    ...(text(plan) === 'pro' || text(a) === '42' ? ['beta'] : []),
    ...(Number(id.slice(5)) < 20 ? ['pro'] : []),
    ...(id === 'user-30' || (startsFree(plan) && text(company) === 'true') ? ['staff'] : []),
  ];
  let covered = 0;
  for (const generated of fc.sample(anyRules, { numRuns: 80, seed: 8 })) {
    const rules = generated.map(
      ({ split: _, ...rule }): Rule => ({
        ...rule,
        conditions: rule.conditions.filter(({ attribute }) => !ofRequest(attribute)),
        bucketBy: rule.bucketBy && ofRequest(rule.bucketBy) ? null : (rule.bucketBy ?? null),
      }),
    );
    const now = test.clock.now().getTime();
    const expected = persons.map(([distinctId, properties]) =>
      naiveOutcome(rules, 'key', {
        distinctId,
        properties: new Map(Object.entries(properties)),
        cohorts: cohortsOf(distinctId, properties),
        now,
      }),
    );
    const size = await sizeOf(
      world,
      generated.map(({ split: _, ...rule }) => rule),
      'key',
    );
    assert.is(size.persons, expected.filter((outcome) => outcome > 0).length, JSON.stringify(generated));
    assert.equal(
      size.rules.map(({ decided }) => decided),
      rules.map((_, at) => expected.filter((outcome) => outcome === at + 1).length),
    );
    covered += size.persons;
  }
  assert.ok(covered > 1_000, `${covered} covered`);
});

/** The size computed within a budget, in a project with `count` persons, a quarter of whom have the plan. */
async function estimate({ app, clock }: TestApp, world: World, count: number, budget: SampleBudget, rules: object[]) {
  const now = clock.now();
  await app.pool.query(
    `insert into person (id, project_id, environment, properties, created_at, updated_at)
     select 'prs_' || md5(n::text || $1::text), $1::uuid, 'live', jsonb_build_object('plan', case when n % 4 = 0 then 'pro' else 'free' end, 'n', n::text), $2::timestamptz, $2
       from generate_series(1, $3::int) n`,
    [world.projectId, now, count],
  );
  await app.pool.query('analyze person');
  const service = new AudienceService(new PersonSamples(app.pool, budget));
  return app.tx.read(systemCaller('test'), (ctx) =>
    service.size(ctx, { projectId: world.projectId, environment: 'live', rules }),
  );
}

const BUDGET = { persons: 1_000, wholeMs: 10_000, partMs: 10_000, partRows: 10_000 };

audience('large matches are estimated from a sample, and small ones are counted exactly', async ({ test, world }) => {
  const matching = { attribute: 'props.plan', operator: 'matches', values: ['^pro$'] };
  const many = await estimate(test, world, 4_000, BUDGET, [{ conditions: [matching] }]);
  assert.ok(many.isEstimate);
  assert.is(many.total, 4_000);
  assert.ok(many.margin > 0 && many.margin < 150, `margin ${many.margin}`);
  assert.ok(Math.abs(many.persons - 1_000) < many.margin * 2, `${many.persons} ± ${many.margin}`);
  const nobody = { attribute: 'props.plan', operator: 'matches', values: ['^none$'] };
  const none = await estimate(test, world, 0, BUDGET, [{ conditions: [nobody] }]);
  assert.ok(none.persons === 0 && none.margin > 0 && none.margin < 20, `0 ± ${none.margin}`);
  const few = await estimate(test, world, 0, BUDGET, [
    { conditions: [matching, { attribute: 'props.n', operator: 'ends_with', values: ['00'] }] },
  ]);
  assert.equal([few.persons, few.isEstimate, few.margin], [40, false, 0]);
});

audience('a table too large to be counted in time is itself sampled', async ({ test, world }) => {
  const budget = { ...BUDGET, wholeMs: 1 };
  const size = await estimate(test, world, 40_000, budget, [{ conditions: [equals('props.plan', 'pro')] }]);
  assert.ok(size.isEstimate);
  assert.ok(Math.abs(size.total - 40_000) < 8_000, `${size.total} persons`);
  assert.ok(Math.abs(size.persons - 10_000) < size.margin * 3 + 2_000, `${size.persons} ± ${size.margin}`);
});

audience.run();
