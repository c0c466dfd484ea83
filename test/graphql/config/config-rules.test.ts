import * as assert from 'uvu/assert';
import { type Client, refusalOf } from '../../support/client.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildMember, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldPerTestSuite } from '../../support/factories/world-suite.js';
import { takeAsManyReads } from '../../support/statements.js';

const rules = worldPerTestSuite('rules of config items');

const PRO = { attribute: 'props.seats', operator: 'gte', values: [10] };

async function served(world: World, key: string, asked: object) {
  const { body } = await world.live.post('/api/v1/handshake', { ...asked, installed: 'config' });
  const { values } = (body as { modules: { config: { values: Record<string, { value: unknown; reason: string }> } } })
    .modules.config;
  return `${values[key]?.value} ${values[key]?.reason}`;
}

async function update(world: World, input: object): Promise<{ currentVersion: number }> {
  const { updateConfigItem } = await world.owner.client.graphql<{ updateConfigItem: { currentVersion: number } }>(
    'mutation($i: UpdateConfigItemInput!) { updateConfigItem(input: $i) { currentVersion } }',
    { i: input },
  );
  return updateConfigItem;
}

rules('are tried in order, with every condition, percentage and split of the grammar', async ({ world }) => {
  const { id, key } = await buildConfigItem(world, {
    rules: [
      { conditions: [PRO], value: '50' },
      { conditions: [{ attribute: 'locale', operator: 'starts_with', values: ['de'] }], percentage: 0, value: '7' },
      { conditions: [{ attribute: 'cohort', values: ['beta'] }], value: '20' },
      {
        conditions: [{ attribute: 'platform', operator: 'in', values: ['ios'] }],
        split: [
          { value: '3', weight: 1 },
          { value: '4', weight: 0 },
        ],
      },
    ],
  });
  assert.is(await served(world, key, { context: { seats: 10 } }), '50 rule');
  assert.is(await served(world, key, { context: { seats: '10' }, locale: 'de' }), '1 default');
  assert.is(await served(world, key, { distinct_id: 'u', platform: 'iOS' }), '3 rule');
  await world.owner.client.graphql('mutation($i: CreateCohortInput!) { createCohort(input: $i) { id } }', {
    i: { projectId: world.projectId, name: 'beta', distinctIds: ['tester'] },
  });
  assert.is(await served(world, key, { distinct_id: 'tester' }), '20 rule');
  const fields =
    'rule { cohort value } rules { conditions { attribute operator values } percentage value json split { value json weight } }';
  const { configItem, configItems } = await world.owner.client.graphql<{
    configItem: { rule: object; rules: { value: string; json: unknown; split: { json: unknown }[] | null }[] };
    configItems: { nodes: object[] };
  }>(
    `query($id: ID!, $p: ID!) { configItem(id: $id) { ${fields} } configItems(projectId: $p) { nodes { ${fields} } } }`,
    { id, p: world.projectId },
  );
  assert.equal(configItem.rule, { cohort: 'beta', value: '20' });
  assert.equal(
    configItem.rules.map(({ value }) => value),
    ['50', '7', '20', '3'],
  );
  assert.equal(
    configItem.rules.map(({ json, split }) => [json, split?.map((share) => share.json)]),
    [
      [50, undefined],
      [7, undefined],
      [20, undefined],
      [3, [3, 4]],
    ],
  );
  assert.equal(configItems.nodes, [configItem]);
});

rules('do not change the REST response format, and a rollback restores them completely', async ({ world }) => {
  const { client } = world.owner;
  const { id, key } = await buildConfigItem(world, { rule: { cohort: 'beta', value: '2' } });
  await update(world, { id, rules: [{ conditions: [PRO], value: '50' }] });
  await update(world, { id, rule: { cohort: 'staff', value: '9' } });
  assert.is((await update(world, { id, rule: { cohort: 'staff', value: '9' } })).currentVersion, 3, 'nothing new');
  await update(world, { id, rules: [] });
  const { body } = await client.get(`/api/v1/config/items/${id}/versions`);
  const { versions } = body as { versions: { id: string; rule_snapshot: string | null }[] };
  const snapshots = versions.map(({ rule_snapshot: text }) => text && JSON.parse(text));
  assert.is(snapshots[0], null);
  assert.equal([snapshots[1].cohort, snapshots[1].value, snapshots[1].rules.length], ['staff', '9', 2]);
  assert.equal([snapshots[2].cohort, snapshots[2].value, snapshots[2].rules.length], [null, null, 1]);
  assert.is(versions[3]?.rule_snapshot, '{"cohort":"beta","value":"2"}');
  const back = await client.post(`/api/v1/config/items/${id}/rollback`, { version_id: versions[1]?.id });
  const done = back.body as { rule: Record<string, unknown>; version: { rule_snapshot: string } };
  assert.equal(Object.keys(done.rule), ['id', 'item_id', 'cohort', 'value', 'created_at', 'updated_at']);
  assert.equal([done.rule.cohort, done.version.rule_snapshot], ['staff', versions[1]?.rule_snapshot]);
  assert.is(await served(world, key, { context: { seats: 12 } }), '50 rule');
  const without = await client.post(`/api/v1/config/items/${id}/rollback`, { version_id: versions[2]?.id });
  assert.is((without.body as { rule: unknown }).rule, null);
  assert.is(await served(world, key, { context: { seats: 12 } }), '50 rule');
});

const SHOWN = `query($p: ID!, $item: ID!, $flag: ID!, $itemVersion: ID!, $flagVersion: ID!) {
  configItem(id: $item) { rules { ...rule } versions { nodes { value rule ruleSnapshot } } }
  configItems(projectId: $p) { nodes { rules { ...rule } } }
  configVersion(id: $itemVersion) { rule ruleSnapshot }
  previewRollback(itemId: $item, versionId: $itemVersion) {
    currentRules { ...rule } restoredRules { ...rule } version { ruleSnapshot } }
  explainConfig(itemId: $item, distinctId: "u1") { rules { value json because conditions { values seen warning } } }
  flag(id: $flag) { rules { variant conditions { values } } variants { value } versions { nodes { behaviour } } }
  flags(projectId: $p) { nodes { rules { conditions { values } } } }
  flagVersion(id: $flagVersion) { behaviour }
  explainFlag(flagId: $flag, distinctId: "u1") { rules { variant conditions { values } } } }
fragment rule on ConfigTargetingRule { value json split { value json } conditions { attribute operator values warning } }`;

rules(
  'of items and flags show callers below Editor no email address except in what they serve',
  async ({ test, world }) => {
    const conditions = [{ attribute: 'distinct_id', operator: 'in', values: ['zed@acme.com', 'u2'] }];
    const split = [
      { value: 'help@acme.com', weight: 1 },
      { value: 'none', weight: 0 },
    ];
    const item = await buildConfigItem(world, { type: 'string', value: 'a', rules: [{ conditions, split }] });
    const { id: flag } = await buildFlag(world, {
      kind: 'variant',
      variants: ['a', 'help@acme.com'].map((value, at) => ({ key: `v${at}`, value })),
      defaultVariant: 'v0',
      rules: [{ conditions, variant: 'v1' }, { variant: 'v0' }],
    });
    const ids = 'versions { nodes { id } }';
    const made = await world.owner.client.graphql<Record<'item' | 'flag', { versions: { nodes: [{ id: string }] } }>>(
      `{ item: configItem(id: "${item.id}") { ${ids} } flag(id: "${flag}") { ${ids} } }`,
    );
    const [itemVersion, flagVersion] = [made.item, made.flag].map(({ versions }) => versions.nodes[0].id);
    await update(world, { id: item.id, rules: [{ conditions, value: 'b' }] });
    const viewer = await buildMember(test, world, 'viewer');
    const editor = await buildMember(test, world, 'editor');
    const read = async (client: Client) => [
      await client.graphql(SHOWN, { p: world.projectId, item: item.id, flag, itemVersion, flagVersion }),
      (await client.get(`/api/v1/config/items/${item.id}/versions`)).body,
    ];
    const whole = JSON.stringify(await read(editor.client));
    assert.is(whole.split('zed@acme.com').length - 1, 19);
    // Repeated queries are executed by plans.
    for (const _ of [1, 2, 3])
      assert.is(JSON.stringify(await read(viewer.client)), whole.replaceAll('zed@acme.com', '[redacted]'));
    for (const [person, guess] of [
      ['$properties: JSON', { properties: { at: ['zed@acme.com'] } }],
      ['$context: JSON', { context: { 'zed@acme.com': 1 } }],
      ['$cohorts: [String!]', { cohorts: ['zed@acme.com'] }],
      ['$platform: String', { platform: 'zed%40acme.com' }],
    ] as const) {
      const name = Object.keys(guess)[0];
      for (const [field, decided] of [
        [`explainFlag(flagId: "${flag}"`, 'decision { variant }'],
        [`explainConfig(itemId: "${item.id}"`, 'value'],
      ]) {
        const query = `query(${person}) { ${field}, ${name}: $${name}) { ${decided} } }`;
        assert.is((await refusalOf(viewer.client.graphql(query, guess))).code, 'PERMISSION_DENIED', query);
        await editor.client.graphql(query, guess);
      }
    }
    await buildConfigItem(world, { type: 'string', value: 'a', rules: [{ conditions, value: 'b' }] });
    const page = (first: number) => () =>
      viewer.client.graphql(
        'query($p: ID!, $n: Int!) { configItems(projectId: $p, first: $n) { nodes { versions { nodes { rule ruleSnapshot } } } } }',
        { p: world.projectId, n: first },
      );
    const pages = JSON.stringify(await takeAsManyReads(page(1), page(2)));
    assert.is(pages.split('[redacted]').length - 1, 6);
    const { body } = await editor.client.post(`/api/v1/config/items/${item.id}/rollback`, { version_id: itemVersion });
    assert.match((body as { version: { rule_snapshot: string } }).version.rule_snapshot, 'zed@acme.com');
    assert.is(await served(world, item.key, { distinct_id: 'zed@acme.com' }), 'help@acme.com rule');
  },
);

rules("must have values of the item's type and schema, and errors name their path", async ({ world }) => {
  const made = (fields: object) => refusalOf(buildConfigItem(world, { value: '1', ...fields }));
  const detailsOf = async (fields: object) => {
    const refusal = await made(fields);
    return [refusal.code, (refusal.errors[0]?.extensions.details as { field?: string } | undefined)?.field];
  };
  assert.equal(await detailsOf({ rules: [{ value: '2' }, { value: 'two' }] }), ['BAD_VALUE', 'rules[1].value']);
  const jsonSchema = { maximum: 5 };
  const split = [
    { value: '2', weight: 1 },
    { value: '6', weight: 1 },
  ];
  assert.equal(await detailsOf({ jsonSchema, rules: [{ split }] }), ['SCHEMA_VIOLATION', 'rules[0].split[1].value']);
  const bad = await made({
    rules: [{ value: '2', conditions: [{ attribute: 'props.a', operator: 'lt', values: ['1'] }] }],
  });
  assert.is(bad.code, 'BAD_RULES');
  assert.match(bad.message, 'rules[0].conditions[0].values[0]');
  const both = { rule: { cohort: 'beta', value: '2' }, rules: [{ value: '3' }] };
  assert.is((await made(both)).code, 'RULE_AND_RULES');
});

rules('are explained one by one', async ({ world }) => {
  const { id } = await buildConfigItem(world, {
    rules: [
      { conditions: [PRO], value: '50' },
      { conditions: [{ attribute: 'cohort', values: ['beta'] }], value: '20' },
    ],
  });
  await world.live.post('/api/v1/people', { distinct_id: 'u', properties: { seats: 5 } });
  const explain = async (args: string) => {
    const { explainConfig } = await world.owner.client.graphql<{
      explainConfig: {
        value: string;
        json: unknown;
        ruleIndex: number | null;
        rules: { because: string; json: unknown; conditions: { seen: unknown }[] }[];
      };
    }>(
      `query($id: ID!) { explainConfig(itemId: $id, ${args}) { value json ruleIndex rules { because value json conditions { seen } } } }`,
      { id },
    );
    return explainConfig;
  };
  const stored = await explain('distinctId: "u"');
  assert.equal([stored.value, stored.json, stored.rules[0]?.json, stored.ruleIndex], ['1', 1, 50, null]);
  assert.equal(
    stored.rules.map(({ because }) => because),
    ['props.seats is less than the value', 'cohort matches none of its values'],
  );
  assert.is(stored.rules[0]?.conditions[0]?.seen, 5);
  assert.is((await explain('distinctId: "u", context: {seats: 10}')).ruleIndex, 0);
  assert.is((await explain('cohorts: ["beta"]')).value, '20');
});

rules.run();
