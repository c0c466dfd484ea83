import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildMember, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { worldPerTestSuite } from '../../support/factories/world-suite.js';

interface CohortFields {
  id: string;
  predicate: string | null;
  distinctIds: string[] | null;
  rules: { conditions: { values: unknown[] }[]; percentage: number }[] | null;
}

const cohorts = worldPerTestSuite('cohorts with rules');

const FIELDS = 'id predicate distinctIds rules { conditions { attribute operator values negate } percentage }';

async function create({ owner, projectId }: World, input: object): Promise<CohortFields> {
  const { createCohort } = await owner.client.graphql<{ createCohort: CohortFields }>(
    `mutation($input: CreateCohortInput!) { createCohort(input: $input) { ${FIELDS} } }`,
    { input: { projectId, name: 'pilots', ...input } },
  );
  return createCohort;
}

async function update({ owner }: World, id: string, input: object): Promise<CohortFields> {
  const { updateCohort } = await owner.client.graphql<{ updateCohort: CohortFields }>(
    `mutation($input: UpdateCohortInput!) { updateCohort(input: $input) { ${FIELDS} } }`,
    { input: { id, ...input } },
  );
  return updateCohort;
}

interface Told {
  modules: { switch: { flags: Record<string, { variant: string }> }; analytics: { cohorts: string[] } };
}

async function told(world: World, body: object): Promise<Told['modules']> {
  return ((await world.live.post('/api/v1/handshake', body)).body as Told).modules;
}

const condition = (attribute: string, operator: string, ...values: unknown[]) => ({ attribute, operator, values });

cohorts('depend on stored data, on the request, and on the clock', async ({ test, world }) => {
  const rules = [
    { conditions: [condition('props.seats', 'gte', 10), condition('platform', 'in', 'ios')] },
    { conditions: [condition('context.team.name', 'starts_with', 'core')] },
    { conditions: [condition('props.until', 'after', '-1d')] },
  ];
  await create(world, { rules, distinctIds: ['listed'] });
  const { key } = await buildFlag(world, {
    rules: [{ conditions: [condition('cohort', 'in', 'pilots')], variant: 'on' }],
  });
  const until = new Date(test.clock.now().getTime()).toISOString();
  await world.live.post('/api/v1/people', { distinct_id: 'big', properties: { seats: 12 } });
  await world.live.post('/api/v1/people', { distinct_id: 'timed', properties: { until } });
  const isIn = async (body: object) => {
    const { switch: flags, analytics } = await told(world, body);
    assert.is(flags.flags[key]?.variant === 'on', analytics.cohorts.includes('pilots'), JSON.stringify(body));
    return analytics.cohorts.includes('pilots');
  };
  assert.is(await isIn({ distinct_id: 'big', platform: 'ios' }), true);
  assert.is(await isIn({ distinct_id: 'big', platform: 'web' }), false);
  assert.is(await isIn({ distinct_id: 'listed' }), true);
  assert.is(await isIn({ context: { team: { name: 'core-1' } } }), true, 'without an id');
  assert.is(await isIn({ distinct_id: 'nobody' }), false);
  assert.is(await isIn({ distinct_id: 'timed' }), true);
  test.clock.advance(86_400_000 + 1_000);
  assert.is(await isIn({ distinct_id: 'timed' }), false);
  await world.live.post('/api/v1/people', { distinct_id: 'big', properties: { seats: 9 } });
  test.clock.advance(5_000);
  assert.is(await isIn({ distinct_id: 'big', platform: 'ios' }), false, 'as the stored data changes');
});

cohorts('a percentage has its own buckets and moves nobody when the name changes', async ({ test, world }) => {
  const { id } = await create(world, { rules: [{ percentage: 50 }] });
  const ids = Array.from({ length: 40 }, (_, at) => `user-${at}`);
  const members = async (name: string) => {
    const all = await Promise.all(ids.map((distinct_id) => told(world, { distinct_id, installed: ['analytics'] })));
    return all.map(({ analytics }) => analytics.cohorts.includes(name));
  };
  const before = await members('pilots');
  const share = before.filter(Boolean).length;
  assert.ok(share > 5 && share < 35, `${share} of 40`);
  await update(world, id, { name: 'crew' });
  test.clock.advance(5_000);
  assert.equal(await members('crew'), before);
});

cohorts('decisions are explained with them, and surveys may name them', async ({ world }) => {
  await create(world, { rules: [{ conditions: [condition('locale', 'in', 'de')] }] });
  const { id } = await buildFlag(world, {
    rules: [{ conditions: [condition('cohort', 'in', 'pilots')], variant: 'on' }],
  });
  const explained = (args: string) =>
    world.owner.client.graphql<{ explainFlag: { rules: { applies: boolean; conditions: { seen: string[] }[] }[] } }>(
      `query($id: ID!) { explainFlag(flagId: $id, ${args}) { rules { applies conditions { seen } } } }`,
      { id },
    );
  assert.equal((await explained('locale: "DE"')).explainFlag.rules[0], {
    applies: true,
    conditions: [{ seen: ['pilots'] }],
  });
  assert.is((await explained('locale: "DE", cohorts: ["others"]')).explainFlag.rules[0]?.applies, false);

  const targetingRules = [{ predicate: 'cohort:pilots', weightNumerator: 1 }];
  const { slug } = await buildSurvey(world, { targetingRules });
  const { body } = await world.live.get('/api/pulse/surveys');
  const listed = (body as { slug: string; targeting_rules: { predicate: string }[] }[]).find(
    (each) => each.slug === slug,
  );
  assert.is(listed?.targeting_rules[0]?.predicate, 'cohort:pilots');
  const { analytics } = await told(world, { locale: 'de', installed: ['analytics'] });
  assert.equal(analytics.cohorts, ['pilots'], 'what the client compares with');
});

cohorts(
  'rules can be combined with ids but not with a predicate, and are returned with the cohort',
  async ({ test, world }) => {
    const rules = [{ conditions: [condition('props.email', 'ends_with', 'ann@example.com')], percentage: 12.5 }];
    const { id } = await create(world, { predicate: 'props.plan = "pro"' });
    const ruled = await update(world, id, { rules });
    assert.equal([ruled.predicate, ruled.distinctIds], [null, null]);
    assert.equal(ruled.rules, [{ conditions: [{ ...rules[0]?.conditions[0], negate: null }], percentage: 12.5 }]);
    const both = await update(world, id, { distinctIds: ['a'] });
    assert.equal([both.distinctIds, both.rules?.length], [['a'], 1]);
    assert.equal((await update(world, id, { rules: [] })).rules, null);
    assert.is((await refusalOf(create(world, { name: 'empty', rules: [] }))).code, 'BAD_COHORT');
    assert.is((await refusalOf(update(world, id, { predicate: 'props.a = "b"', rules }))).code, 'BAD_COHORT');
    await update(world, id, { rules });

    const viewer = await buildMember(test, world, 'viewer');
    const { cohorts: page } = await viewer.client.graphql<{ cohorts: { nodes: CohortFields[] } }>(
      `query($p: ID!) { cohorts(projectId: $p) { nodes { ${FIELDS} } } }`,
      { p: world.projectId },
    );
    assert.equal(page.nodes[0]?.rules?.[0]?.conditions[0]?.values, ['[redacted]']);
    const { audienceSize } = await world.owner.client.graphql<{ audienceSize: object }>(
      `query($p: ID!) { audienceSize(projectId: $p, rules: [{ conditions: [{ attribute: "cohort", operator: in, values: ["pilots"] }] }]) {
      persons isEstimate } }`,
      { p: world.projectId },
    );
    assert.equal(audienceSize, { persons: 0, isEstimate: false });
  },
);

cohorts('rules that refer to cohorts are refused, like anything that is not a valid rule', async ({ world }) => {
  const refusal = await refusalOf(
    create(world, {
      rules: [
        { conditions: [condition('cohort', 'in', 'others'), condition('distinct_id', 'cohort', 'others')] },
        { conditions: [condition('props.a', 'lt', 'x')] },
      ],
    }),
  );
  assert.is(refusal.code, 'BAD_AUDIENCE');
  const details = refusal.errors[0]?.extensions.details as { problems: { path: string }[] } | undefined;
  assert.equal(
    details?.problems.map(({ path }) => path),
    ['rules[0].conditions[0]', 'rules[0].conditions[1]', 'rules[1].conditions[0].values[0]'],
  );
});

cohorts('`members` is one of ids, rules and a predicate, and replaces whatever was there before', async ({ world }) => {
  const rules = [{ conditions: [condition('platform', 'in', 'ios')] }];
  const { id } = await create(world, { rules, distinctIds: ['a'] });
  const told = ({ predicate, distinctIds, rules: made }: CohortFields) => [
    predicate,
    distinctIds,
    made?.length ?? null,
  ];
  const members = async (given: object) => told(await update(world, id, { members: given }));
  assert.equal(await members({ distinctIds: ['b', 'b'] }), [null, ['b'], null]);
  assert.equal(await members({ rules }), [null, null, 1]);
  assert.equal(await members({ predicate: 'props.a = "b"' }), ['props.a = "b"', null, null]);
  assert.equal(told(await create(world, { name: 'crew', members: { distinctIds: [] } })), [null, [], null]);
  const codeOf = async (input: object) => (await refusalOf(update(world, id, input))).code;
  assert.is(await codeOf({ members: { distinctIds: ['b'], rules } }), 'BAD_USER_INPUT');
  assert.is(await codeOf({ members: {} }), 'BAD_USER_INPUT');
  assert.is(await codeOf({ members: { predicate: 'a'.repeat(10_001) } }), 'INVALID_INPUT');
  assert.is(await codeOf({ members: { rules: [] } }), 'BAD_COHORT');
  assert.is(await codeOf({ members: { distinctIds: ['b'] }, rules }), 'BAD_COHORT');
  assert.equal(told(await update(world, id, { name: 'same' })), ['props.a = "b"', null, null]);
});

cohorts('hold at most as many ids as their limit says, however they are given', async ({ world }) => {
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `u${n}`);
  const cohort = await create(world, { distinctIds: ids(1_001) });
  assert.is(cohort.distinctIds?.length, 1_001);
  assert.is((await update(world, cohort.id, { members: { distinctIds: ids(1_002) } })).distinctIds?.length, 1_002);
  assert.is((await update(world, cohort.id, { distinctIds: ids(1_003) })).distinctIds?.length, 1_003);
  assert.is((await refusalOf(update(world, cohort.id, { distinctIds: ids(100_001) }))).code, 'INVALID_INPUT');
});

cohorts.run();
