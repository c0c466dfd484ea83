import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildWorld } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { recordReads } from '../../support/statements.js';

const config = worldSuite('config items in GraphQL');

const CREATE = 'mutation($input: CreateConfigItemInput!) { createConfigItem(input: $input) { id currentVersion } }';
const UPDATE =
  'mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { currentVersion defaultValue } }';

config("values must be texts of the item's type", async ({ world }) => {
  const bad: [string, string][] = [
    ['int', '1.5'],
    ['int', '01'],
    ['int', '9007199254740993'],
    ['float', 'NaN'],
    ['float', '1e400'],
    ['bool', 'TRUE'],
    ['json', '{'],
  ];
  for (const [type, value] of bad) {
    const refused = await refusalOf(buildConfigItem(world, { type, value }));
    assert.is(refused.code, 'BAD_VALUE', `${type} ${value}`);
    assert.is(refused.message, `The value is not a valid ${type}.`);
  }
  const misread: [string, RegExp][] = [
    ['[{"most": 1e400}]', /every client can read: it has a number beyond 1\.797e308/],
    ['{"\\ud800": 1}', /every client can read: it has half of a surrogate pair/],
  ];
  const { id } = await buildConfigItem(world, {
    type: 'json',
    value: '{"a": "\\ud83d\\ude00", "n": 12345678901234567890}',
  });
  for (const [value, says] of misread) {
    const rule = { cohort: 'beta', value };
    for (const [path, made] of [
      ['value', () => buildConfigItem(world, { type: 'json', value })],
      ['value', () => world.owner.client.graphql(UPDATE, { input: { id, value } })],
      ['rule.value', () => buildConfigItem(world, { type: 'json', value: '1', rule })],
      ['rule.value', () => world.owner.client.graphql(UPDATE, { input: { id, rule } })],
    ] as const) {
      const refused = await refusalOf(made());
      assert.equal(
        [refused.code, refused.errors[0]?.extensions.fields],
        ['BAD_VALUE', [{ path, message: refused.message }]],
      );
      assert.match(refused.message, says);
    }
  }
  for (const [type, value] of [
    ['string', ''],
    ['float', '-2.5e3'],
    ['bool', 'false'],
    ['json', '[null]'],
    ['int', '-7'],
  ] as const) {
    assert.ok((await buildConfigItem(world, { type, value })).id, `${type} ${value}`);
  }
});

config('a key is unique within an environment', async ({ world }) => {
  const { key } = await buildConfigItem(world, {});
  assert.is((await refusalOf(buildConfigItem(world, { key }))).code, 'KEY_TAKEN');
  assert.ok((await buildConfigItem(world, { key, environment: 'test' })).id);
});

config('a stale expectedVersion is refused with the current version', async ({ world }) => {
  const { client } = world.owner;
  const { id } = await buildConfigItem(world, {});
  await client.graphql(UPDATE, { input: { id, value: '2', expectedVersion: 1 } });
  const refused = await refusalOf(client.graphql(UPDATE, { input: { id, value: '3', expectedVersion: 1 } }));
  assert.is(refused.code, 'VERSION_CONFLICT');
  assert.equal(refused.errors[0]?.extensions.details, { expected: 1, current: 2 });
});

config('only a new value or rule appends a version', async ({ world }) => {
  const { client } = world.owner;
  const { id } = await buildConfigItem(world, { value: '5' });
  const version = async (input: object) =>
    (await client.graphql<{ updateConfigItem: { currentVersion: number } }>(UPDATE, { input: { id, ...input } }))
      .updateConfigItem.currentVersion;
  assert.is(await version({ description: 'described' }), 1);
  assert.is(await version({ value: '5' }), 1);
  assert.is(await version({ rule: { cohort: 'beta', value: '6' } }), 2);
  assert.is(await version({ rule: { cohort: 'beta', value: '6' } }), 2);
  assert.is(await version({ rule: null }), 3);
  const { archiveConfigItem } = await client.graphql<{ archiveConfigItem: { currentVersion: number } }>(
    'mutation($id: ID!) { archiveConfigItem(input: { id: $id }) { currentVersion } }',
    { id },
  );
  assert.is(archiveConfigItem.currentVersion, 3);
  assert.is((await refusalOf(client.graphql(UPDATE, { input: { id, value: '9' } }))).code, 'ITEM_ARCHIVED');
  await client.graphql('mutation($id: ID!) { unarchiveConfigItem(input: { id: $id }) { id } }', { id });
  assert.is(await version({ value: '9' }), 4, 'restored from the archive, it can be changed again');
});

config("every value must satisfy the item's JSON Schema, including that of a rollback", async ({ world }) => {
  const { client } = world.owner;
  const { id } = await buildConfigItem(world, { value: '50' });
  const schema = { type: 'integer', maximum: 10 };
  const tooLarge = await refusalOf(client.graphql(UPDATE, { input: { id, jsonSchema: schema } }));
  assert.is(tooLarge.code, 'SCHEMA_VIOLATION');
  await client.graphql(UPDATE, { input: { id, value: '10', jsonSchema: schema } });
  const { configItem } = await client.graphql<{ configItem: { versions: { nodes: { id: string }[] } } }>(
    'query($id: ID!) { configItem(id: $id) { versions { nodes { id } } } }',
    { id },
  );
  const first = configItem.versions.nodes.at(-1)?.id;
  const { previewRollback } = await client.graphql<{ previewRollback: { obstacle: string; restoredValue: string } }>(
    'query($i: ID!, $v: ID!) { previewRollback(itemId: $i, versionId: $v) { obstacle restoredValue } }',
    { i: id, v: first },
  );
  assert.is(previewRollback.restoredValue, '50');
  assert.match(previewRollback.obstacle, /JSON Schema/);
  const refused = await refusalOf(
    client.graphql(
      'mutation($i: ID!, $v: ID!) { rollbackConfigItem(input: { itemId: $i, versionId: $v }) { item { id } } }',
      {
        i: id,
        v: first,
      },
    ),
  );
  assert.is(refused.code, 'SCHEMA_VIOLATION');
  const broken = await refusalOf(client.graphql(UPDATE, { input: { id, jsonSchema: { type: 'nonsense' } } }));
  assert.is(broken.code, 'BAD_SCHEMA');
});

config('a list of 100 items with rule and versions takes at most eight statements', async ({ test }) => {
  const world = await buildWorld(test);
  for (let index = 0; index < 100; index++)
    await buildConfigItem(world, index % 2 ? { rule: { cohort: 'beta', value: '2' } } : {});
  const query = `query($p: ID!) { configItems(projectId: $p, first: 100) {
    nodes { key rule { cohort } versions(first: 5) { nodes { versionNumber note } pageInfo { hasNextPage } } } } }`;
  const { result, statements } = await recordReads(() =>
    world.owner.client.graphql<{ configItems: { nodes: { rule: object | null; versions: { nodes: object[] } }[] } }>(
      query,
      {
        p: world.projectId,
      },
    ),
  );
  assert.is(result.configItems.nodes.length, 100);
  assert.is(result.configItems.nodes.filter(({ rule }) => rule).length, 50);
  assert.ok(result.configItems.nodes.every(({ versions }) => versions.nodes.length === 1));
  assert.ok(statements.length <= 8, `${statements.length} statements`);
});

config('versions read as part of a list equal those read item by item', async ({ test }) => {
  const world = await buildWorld(test);
  const { client } = world.owner;
  const { id } = await buildConfigItem(world, { rule: { cohort: 'beta', value: '2' } });
  await buildConfigItem(world, {});
  for (const value of ['3', '4', '5']) await client.graphql(UPDATE, { input: { id, value, note: `"${value}"\n\\` } });
  const second = Buffer.from('["ConfigVersion versionNumber desc",2,"ffffffff-ffff-4fff-bfff-ffffffffffff"]').toString(
    'base64url',
  );
  const page = `nodes { id itemId versionNumber action valueSnapshot ruleSnapshot actorId actorEmail note createdAt }
    edges { cursor } pageInfo { hasNextPage startCursor endCursor }`;
  const fields = `id projectId environment key createdAt updatedAt rule { id itemId cohort value createdAt updatedAt }
    newest: versions(first: $first) { ${page} } none: versions(first: 2, after: "${second}") { ${page} } all: versions { ${page} }`;
  for (const first of [1, 2, 100]) {
    const list = `query($p: ID!, $first: Int! = 3) { configItems(projectId: $p, first: 5) { nodes { ${fields} } } }`;
    for (let round = 0; round < 3; round++) {
      const { configItems } = await client.graphql<{ configItems: { nodes: { id: string }[] } }>(list, {
        p: world.projectId,
        first,
      });
      assert.is(configItems.nodes.length, 2);
      for (const node of configItems.nodes) {
        const single = `query($id: ID!, $first: Int!) { configItem(id: $id) { ${fields} } }`;
        const { configItem } = await client.graphql<{ configItem: object }>(single, { id: node.id, first });
        assert.equal(node, configItem);
      }
    }
  }
});

config('listing an environment gives the same as listing its project', async ({ test }) => {
  const world = await buildWorld(test);
  const { client } = world.owner;
  const items = [];
  for (const rule of [{ cohort: 'beta', value: '2' }, null, { cohort: 'x', value: '3' }, null])
    items.push(await buildConfigItem(world, rule ? { rule } : {}));
  await client.graphql(UPDATE, { input: { id: items[0]?.id, value: '7' } });
  await client.graphql('mutation($i: IdInput!) { archiveConfigItem(input: $i) { id } }', { i: { id: items[1]?.id } });
  const fields = `totalCount isEstimate pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor } nodes {
    id projectId environment key type defaultValue description jsonSchema isArchived currentVersion createdAt updatedAt viewerCan
    project { id name } rule { id cohort value } versions(first: 2) { totalCount edges { cursor } nodes { id versionNumber createdAt } } }`;
  for (const args of [
    'first: 2',
    'first: 5, includeArchived: true',
    'keyPrefix: "item."',
    'keyPrefix: "none"',
    'environment: test',
  ]) {
    const query = (after: string) => `query($p: ID!) { configItems(projectId: $p, ${args} ${after}) { ${fields} }
      project(id: $p) { configItems(${args} ${after}) { ${fields} } } }`;
    const ask = (after = '') =>
      client.graphql<{ configItems: { pageInfo: { endCursor: string | null } }; project: { configItems: object } }>(
        query(after),
        { p: world.projectId },
      );
    const { configItems, project } = await ask();
    assert.equal(configItems, project.configItems, args);
    const { endCursor } = configItems.pageInfo;
    if (endCursor === null) continue;
    const next = await ask(`after: "${endCursor}"`);
    assert.equal(next.configItems, next.project.configItems, `${args}, the page after`);
  }
});

config('a list denies access before it looks at the arguments of its inner lists', async ({ test }) => {
  const world = await buildWorld(test);
  const { client } = world.owner;
  const list = (versions: string) =>
    `query($p: ID!, $a: String) { configItems(projectId: $p, after: $a) { nodes { versions${versions} { nodes { id } } } } }`;
  const code = async (query: string, variables: Record<string, unknown>) =>
    (await refusalOf(client.graphql(query, variables))).code;
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (let round = 0; round < 3; round++) {
    const { configItems } = await client.graphql<{ configItems: { nodes: object[] } }>(list('(first: 3)'), {
      p: world.projectId,
    });
    assert.equal(configItems.nodes, []);
    assert.is(await code(list('(first: 3)'), { p: unknown }), 'PROJECT_NOT_FOUND');
    assert.is(await code(list('(first: 3)'), { p: unknown, a: 'nonsense' }), 'PROJECT_NOT_FOUND');
    assert.is(await code(list('(first: 3)'), { p: world.projectId, a: 'nonsense' }), 'INVALID_CURSOR');
  }
  await buildConfigItem(world, {});
  for (let round = 0; round < 3; round++) {
    assert.is(await code(list('(first: 101)'), { p: world.projectId }), 'INVALID_INPUT');
    assert.is(await code(list('(first: 3, after: "")'), { p: world.projectId }), 'INVALID_CURSOR');
  }
});

config('pages follow each other by cursor, and foreign cursors are refused', async ({ test }) => {
  const world = await buildWorld(test);
  const keys: string[] = [];
  for (let index = 0; index < 5; index++) keys.push((await buildConfigItem(world, {})).key);
  const page = (after: string | null) =>
    world.owner.client.graphql<{
      configItems: { nodes: { key: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    }>(
      'query($p: ID!, $a: String) { configItems(projectId: $p, first: 2, after: $a) { nodes { key } pageInfo { hasNextPage endCursor } } }',
      {
        p: world.projectId,
        a: after,
      },
    );
  const seen: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { configItems } = await page(after);
    seen.push(...configItems.nodes.map(({ key }) => key));
    after = configItems.pageInfo.endCursor;
    more = configItems.pageInfo.hasNextPage;
  }
  assert.equal(seen, keys);
  for (const cursor of ['x', 'bnVsbA', Buffer.from('["a","b"]').toString('base64url')])
    assert.is((await refusalOf(page(cursor))).code, 'INVALID_CURSOR', cursor);
});

config('a refused creation leaves nothing behind', async ({ test, world }) => {
  const count = async () => Number((await test.app.pool.query('select count(*) from event_log')).rows[0].count);
  const before = await count();
  await refusalOf(
    world.owner.client.graphql(CREATE, { input: { projectId: world.projectId, key: 'a b', type: 'int', value: '1' } }),
  );
  assert.is(await count(), before);
});

config.run();
