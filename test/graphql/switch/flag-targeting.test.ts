import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import type { World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldPerTestSuite } from '../../support/factories/world-suite.js';

const targeting = worldPerTestSuite('targeting of flags');

const VARIANTS = ['red', 'green', 'blue'].map((key) => ({ key, value: key }));

async function served(world: World, key: string, query: string) {
  const { body } = await world.live.get(`/api/v1/handshake?installed=switch&${query}`);
  return (body as { modules: { switch: { flags: Record<string, { variant: string; reason: string }> } } }).modules
    .switch.flags[key];
}

async function update(world: World, flagId: string, rules: object[]): Promise<{ currentVersion: number }> {
  const { updateFlag } = await world.owner.client.graphql<{ updateFlag: { currentVersion: number } }>(
    'mutation($input: UpdateFlagInput!) { updateFlag(input: $input) { currentVersion } }',
    { input: { flagId, rules } },
  );
  return updateFlag;
}

targeting('conditions on every type of value are stored, read back and served', async ({ world }) => {
  const conditions = [
    { attribute: 'os_version', operator: 'semver', values: ['>=17'], negate: null },
    { attribute: 'locale', operator: 'starts_with', values: ['en'], negate: null },
    { attribute: 'props.seats', operator: 'lt', values: [5.5], negate: null },
    { attribute: 'props.trial', operator: 'in', values: [true, 'yes'], negate: true },
    { attribute: 'props.plan', operator: null, values: ['pro'], negate: null },
  ];
  const { id, key } = await buildFlag(world, { rules: [{ conditions, variant: 'on' }] });
  const { flag } = await world.owner.client.graphql<{ flag: { rules: { conditions: object[] }[] } }>(
    'query($id: ID!) { flag(id: $id) { rules { conditions { attribute operator values negate } } } }',
    { id },
  );
  assert.equal(flag.rules[0]?.conditions, conditions);
  const properties = { seats: 5, trial: false, plan: 'pro' };
  await world.live.post('/api/v1/people', { distinct_id: 'u1', properties });
  assert.is((await served(world, key, 'distinct_id=u1&os_version=18.1&locale=en_GB'))?.variant, 'on');
  assert.is((await served(world, key, 'distinct_id=u1&os_version=16.4&locale=en_GB'))?.variant, 'off');
  assert.is((await served(world, key, 'distinct_id=u1&os_version=18.1&locale=de'))?.variant, 'off');
  assert.is((await served(world, key, 'distinct_id=u2&os_version=18.1&locale=en'))?.variant, 'off');
});

targeting('errors in conditions, splits and buckets are named by their path', async ({ world }) => {
  const refusal = await refusalOf(
    buildFlag(world, {
      rules: [
        {
          conditions: [
            { attribute: 'props.age', operator: 'lt', values: ['18'] },
            { attribute: 'props.mail', operator: 'matches', values: ['(?=a)'] },
            { attribute: 'props.a', operator: 'in', values: [{ a: 1 }] },
            { attribute: 'os_version', values: ['17'] },
          ],
          split: [
            { variant: 'on', weight: -1 },
            { variant: 'maybe', weight: 1 },
          ],
          bucketBy: 'platform',
        },
      ],
    }),
  );
  assert.is(refusal.code, 'INVALID_FLAG');
  const details = refusal.errors[0]?.extensions.details as { problems: { path: string }[] } | undefined;
  assert.equal(
    details?.problems.map(({ path }) => path),
    [
      'rules[0].split[1].variant',
      'rules[0].bucketBy',
      'rules[0].split[0].weight',
      'rules[0].conditions[0].values[0]',
      'rules[0].conditions[1].values[0]',
      'rules[0].conditions[2].values[0]',
      'rules[0].conditions[3].operator',
    ],
  );
});

targeting('a split is served by weight, and new weights move nobody who can stay', async ({ world }) => {
  const split = (...weights: number[]) =>
    VARIANTS.map(({ key: variant }, at) => ({ variant, weight: weights[at] ?? 0 }));
  const { id, key } = await buildFlag(world, {
    kind: 'variant',
    variants: VARIANTS,
    rules: [{ split: split(50, 25, 25) }],
  });
  const everyone = async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `user-${at}`);
    return Promise.all(ids.map((distinctId) => served(world, key, `distinct_id=${distinctId}`)));
  };
  const before = await everyone();
  assert.equal([...new Set(before.map((decision) => decision?.variant))].sort(), ['blue', 'green', 'red']);
  assert.equal([...new Set(before.map((decision) => decision?.reason))], ['rollout']);
  assert.is((await update(world, id, [{ split: split(50, 25, 25) }])).currentVersion, 1, 'the same split is no change');
  assert.is((await update(world, id, [{ split: split(70, 25, 5) }])).currentVersion, 2);
  const after = await everyone();
  for (const [at, decision] of after.entries()) {
    const was = before[at]?.variant;
    if (decision?.variant !== was) assert.equal([was, decision?.variant], ['blue', 'red'], `user-${at}`);
  }
  await update(world, id, [{ split: split(50, 25, 25) }]);
  assert.equal(
    (await everyone()).map((decision) => decision?.variant),
    before.map((decision) => decision?.variant),
  );
});

targeting('of several rules with splits each keeps its own people, whatever else changes', async ({ test, world }) => {
  const split = (...weights: number[]) =>
    VARIANTS.map(({ key: variant }, at) => ({ variant, weight: weights[at] ?? 0 }));
  const [few, many] = [
    { percentage: 10, split: split(50, 50, 0) },
    { percentage: 100, split: split(80, 10, 10) },
  ];
  const german = { ...many, conditions: [{ attribute: 'locale', operator: 'in', values: ['de'] }] };
  const { id, key } = await buildFlag(world, { kind: 'variant', variants: VARIANTS, rules: [few, many, german] });
  const bucketsOf = async () => {
    const { rows } = await test.app.pool.query<{ rules: { split: { buckets: unknown }[] }[] }>(
      'select rules from flag where id = $1',
      [id],
    );
    return (rows[0]?.rules ?? []).map((rule) => JSON.stringify(rule.split.map(({ buckets }) => buckets)));
  };
  const ids = Array.from({ length: 60 }, (_, at) => `user-${at}`);
  const everyone = async () =>
    Promise.all(ids.map(async (one) => (await served(world, key, `distinct_id=${one}`))?.variant));
  const [before, first] = [await everyone(), await bucketsOf()];
  const { updateFlag } = await world.owner.client.graphql<{ updateFlag: { currentVersion: number } }>(
    'mutation($id: ID!) { updateFlag(input: { flagId: $id, description: "for some" }) { currentVersion } }',
    { id },
  );
  assert.is(updateFlag.currentVersion, 1, 'a new description alone does not change what is served');
  await update(world, id, [{ ...few, percentage: 12 }, many, german]);
  assert.equal(await bucketsOf(), first);
  await update(world, id, [german, many, few]);
  assert.equal(await bucketsOf(), first.toReversed(), 'in another order');
  const french = { ...german, conditions: [{ attribute: 'locale', operator: 'in', values: ['fr'] }] };
  await update(world, id, [few, many, french]);
  assert.equal(await bucketsOf(), first, 'with other conditions');
  assert.equal(await everyone(), before);
  await update(world, id, [few, { ...many, split: split(70, 10, 20) }, french]);
  const [unchanged, changed] = await bucketsOf();
  assert.is(unchanged, first[0]);
  assert.is.not(changed, first[1]);
});

targeting('a condition relative to now follows the clock, even in cached answers', async ({ test, world }) => {
  const { key } = await buildFlag(world, {
    rules: [
      { conditions: [{ attribute: 'now', operator: 'before', values: ['2031-01-01T00:00:00Z'] }], variant: 'on' },
    ],
  });
  test.clock.set('2030-12-31T23:59:59Z');
  assert.is((await served(world, key, 'platform=ios'))?.variant, 'on');
  test.clock.advance(1_500);
  assert.is((await served(world, key, 'platform=ios'))?.variant, 'off');
});

targeting('an explanation shows what every condition saw and why it failed', async ({ world }) => {
  const { id } = await buildFlag(world, {
    kind: 'variant',
    variants: VARIANTS,
    rules: [
      { conditions: [{ attribute: 'context.version', operator: 'semver', values: ['>=2'] }], variant: 'red' },
      { conditions: [{ attribute: 'props.age', operator: 'gte', values: [18] }], variant: 'red' },
      { conditions: [{ attribute: 'props.plan', operator: 'exists', values: [] }], variant: 'red' },
      { percentage: 50, bucketBy: 'props.company', variant: 'red' },
      {
        split: [
          { variant: 'green', weight: 1 },
          { variant: 'blue', weight: 0 },
        ],
      },
    ],
  });
  const { explainFlag } = await world.owner.client.graphql<{
    explainFlag: {
      decision: { variant: string; ruleIndex: number };
      rules: {
        because: string;
        variant: string;
        bucket: number | null;
        conditions: { seen: unknown; because: string }[];
      }[];
    };
  }>(
    `query($id: ID!) { explainFlag(flagId: $id, distinctId: "u1", context: {version: "1.10"}, properties: {age: "18"}) {
      decision { variant ruleIndex } rules { because variant bucket conditions { seen because } } } }`,
    { id },
  );
  assert.equal(explainFlag.decision, { variant: 'green', ruleIndex: 4 });
  assert.equal(
    explainFlag.rules.map(({ because }) => because),
    [
      'context.version is not a version in any of the ranges',
      'props.age has a type that the operator does not support',
      'props.plan is absent',
      'props.company is absent, so there is no bucket',
      'all conditions hold and the rollout covers the bucket',
    ],
  );
  assert.equal(explainFlag.rules[0]?.conditions[0]?.seen, '1.10');
  assert.equal(explainFlag.rules[1]?.conditions[0]?.seen, '18');
  assert.is(explainFlag.rules[3]?.bucket, null);
  assert.is(explainFlag.rules[4]?.variant, 'green');
});

targeting('an explanation says whether the value to bucket by is absent or has no bucket', async ({ world }) => {
  const rules = [
    { percentage: 50, bucketBy: 'context.company', variant: 'on' },
    { percentage: 50, bucketBy: 'distinct_id', variant: 'on' },
  ];
  const { id } = await buildFlag(world, { rules });
  const because = async (context: object) => {
    const query =
      'query($id: ID!, $context: JSON) { explainFlag(flagId: $id, context: $context) { rules { bucket because } } }';
    const { explainFlag } = await world.owner.client.graphql<{
      explainFlag: { rules: { bucket: number | null; because: string }[] };
    }>(query, { id, context });
    assert.equal(
      explainFlag.rules.map(({ bucket }) => bucket),
      [null, null],
    );
    return explainFlag.rules.map((rule) => rule.because);
  };
  const noId = 'a rollout needs a distinct id';
  for (const company of [undefined, null])
    assert.equal(await because({ company }), ['context.company is absent, so there is no bucket', noId]);
  const unfit = 'context.company has no bucket: only texts of 1 to 1,024 characters and whole numbers have one';
  for (const company of ['', 1.5, 1e300, true, ['a'], {}, 'x'.repeat(1_025)])
    assert.equal(await because({ company }), [unfit, noId], JSON.stringify(company).slice(0, 20));
});

targeting('an explanation says if only the type keeps a value from being equal', async ({ world }) => {
  const rule = (attribute: string, values: unknown[]) => ({
    conditions: [{ attribute, operator: 'in', values }],
    variant: 'on',
  });
  const { id } = await buildFlag(world, {
    rules: [
      rule('distinct_id', ['7', 12345]),
      rule('props.age', ['18']),
      rule('context.tags', [true, 5]),
      rule('distinct_id', [5]),
    ],
  });
  const { explainFlag } = await world.owner.client.graphql<{ explainFlag: { rules: { because: string }[] } }>(
    `query($id: ID!) { explainFlag(flagId: $id, distinctId: "12345", context: {tags: ["a", "5"]}, properties: {age: 18}) {
      rules { because } } }`,
    { id },
  );
  const said = (value: string, is: string, seen: string) =>
    `is not one of the values: ${value} among them is a ${is}, but the attribute is a ${seen}, and types are never converted`;
  assert.equal(
    explainFlag.rules.map(({ because }) => because),
    [
      `distinct_id ${said('12345', 'number', 'text')}`,
      `props.age ${said('18', 'text', 'number')}`,
      `context.tags ${said('5', 'number', 'text')}`,
      'distinct_id is not one of the values',
    ],
  );
});

targeting('saving a condition reports which of its values nothing can equal', async ({ world }) => {
  const condition = (attribute: string, values: unknown[]) => ({ attribute, operator: 'in', values });
  const conditions = [
    condition('distinct_id', ['7', 12345, 6]),
    condition('app_version', [2.1]),
    condition('platform', [true]),
    condition('distinct_id', ['12345']),
    condition('props.age', [18]),
    condition('release', [7]),
  ];
  const warnings = [
    'distinct_id is always a text, so it never equals the number 12345; write "12345"',
    'app_version is always a text, so it never equals the number 2.1; write "2.1"',
    'platform is always a text, so it never equals the boolean true; write "true"',
    null,
    null,
    null,
  ];
  const { projectId } = world;
  const { client } = world.owner;
  const said = async (mutation: string, input: object): Promise<(string | null)[]> => {
    const answer = await client.graphql<Record<string, { rules: { conditions: { warning: string | null }[] }[] }>>(
      mutation,
      { input: { projectId, ...input } },
    );
    return Object.values(answer).flatMap(({ rules }) =>
      rules.flatMap((rule) => rule.conditions.map(({ warning }) => warning)),
    );
  };
  const asked = 'rules { conditions { warning } }';
  assert.equal(
    await said(`mutation($input: CreateFlagInput!) { createFlag(input: $input) { ${asked} } }`, {
      key: 'warned',
      rules: [{ conditions, percentage: 100, variant: 'on' }],
    }),
    warnings,
  );
  assert.equal(
    await said(`mutation($input: CreateConfigItemInput!) { createConfigItem(input: $input) { ${asked} } }`, {
      environment: 'live',
      key: 'warned',
      type: 'int',
      value: '1',
      rules: [{ conditions, percentage: 100, value: '2' }],
    }),
    warnings,
  );
  assert.equal(
    await said(`mutation($input: CreateCohortInput!) { createCohort(input: $input) { ${asked} } }`, {
      name: 'warned',
      rules: [{ conditions, percentage: 100 }],
    }),
    warnings,
  );
});

targeting("OpenFeature's context reaches every attribute", async ({ world }) => {
  const conditions = [
    { attribute: 'os_version', operator: 'semver', values: ['^17'] },
    { attribute: 'context.device.memory', operator: 'gte', values: [8] },
    { attribute: 'country', operator: 'in', values: ['DE'] },
    { attribute: 'props.tags', operator: 'in', values: ['beta'] },
  ];
  const { key } = await buildFlag(world, { rules: [{ conditions, variant: 'on' }] });
  const ask = async (context: object) => {
    const { body } = await world.live.post(`/ofrep/v1/evaluate/flags/${key}`, { context });
    return (body as { variant: string }).variant;
  };
  const context = { targetingKey: 'u', os_version: '17.2', device: { memory: 8 }, country: 'de', tags: ['a', 'beta'] };
  assert.is(await ask(context), 'on');
  assert.is(await ask({ ...context, device: { memory: '8' } }), 'off');
  assert.is(await ask({ ...context, country: 'FR' }), 'off');
});

targeting.run();
