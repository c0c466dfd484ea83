import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { listTakesAsManyReads, recordReads } from '../../support/statements.js';

const OBJECTS = 20;

const versions = worldSuite<{ items: string[] }>('versions of flags and items in the graph');

versions.before(async (context) => {
  context.items = [];
  for (let made = 0; made < OBJECTS; made++) {
    await buildFlag(context.world, { key: `flag-${made}`, environment: 'live' });
    context.items.push(await item(context.world, `item-${made}`));
  }
});

async function item({ owner, projectId }: World, key: string): Promise<string> {
  const input = { projectId, key, type: 'json', value: '{"a":[1]}', rule: { cohort: 'beta', value: '{"a":[]}' } };
  const { createConfigItem } = await owner.client.graphql<{ createConfigItem: { id: string } }>(
    'mutation($input: CreateConfigItemInput!) { createConfigItem(input: $input) { id } }',
    { input },
  );
  return createConfigItem.id;
}

versions('every edge costs as many statements for one owner as for many', async ({ world }) => {
  for (const edge of [
    'flags(first: $first) { nodes { versions { nodes { actor { email } } } } }',
    'flags(first: $first) { nodes { versions { nodes { flag { key } } } } }',
    'configItems(first: $first) { nodes { value versions { nodes { value rule actor { email } } } } }',
    'configItems(first: $first) { nodes { versions { nodes { item { key } } } } }',
    'configItems(first: $first) { nodes { rule { item { key } } } }',
  ]) {
    const query = `query($p: ID!, $first: Int!) { project(id: $p) { ${edge} } }`;
    const read = (first: number) => world.owner.client.graphql(query, { p: world.projectId, first });
    await listTakesAsManyReads(read, 100, edge);
  }
});

versions('are the same as part of a list of objects and by themselves', async ({ world }) => {
  const nodes = '{ cursor node { id versionNumber createdAt actor { email } } }';
  const page = `edges ${nodes} pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;
  const lists = (size: string, more: string) => `query($p: ID!${size === '$size' ? ', $size: Int!' : ''}) {
    flags(projectId: $p, first: 3) { edges { node { ...OfFlag } } }
    configItems(projectId: $p, first: 3) { nodes { rule { id itemId cohort createdAt } rules { value json conditions { values } }
      versions(first: ${size}) { ${page} ${more} } none: versions(first: 2, before: null) { ${page} } } } }
    fragment OfFlag on Flag { key versions(first: ${size}) { ${page} ${more} } }`;
  const read = async (query: string, variables = {}) =>
    recordReads(() => world.owner.client.graphql(query, { p: world.projectId, ...variables }));
  await read(lists('1', ''));
  const along = await read(lists('1', ''));
  const byVariable = await read(lists('$size', ''), { size: 1 });
  const alone = await read(lists('1', 'isEstimate'));
  assert.equal(byVariable.result, along.result);
  assert.is(byVariable.statements.length, along.statements.length);
  assert.equal(JSON.parse(JSON.stringify(alone.result).replaceAll(',"isEstimate":false', '')), along.result);
  assert.ok(along.statements.length < alone.statements.length, 'nothing was read along');
});

versions('are filtered by number and by creation time', async ({ world }) => {
  const filters: [filter: string, count: number][] = [
    ['{ NUMBER: { eq: 1 } createdAt: { from: "2001-01-01T00:00:00Z" } }', 1],
    ['{ NUMBER: { from: 2 } }', 0],
    ['{ createdAt: { to: "2001-01-01T00:00:00Z" } }', 0],
  ];
  const { id } = await buildSurvey(world);
  for (const [filter, count] of filters) {
    const list = (number: string) => `versions(filter: ${filter.replace('NUMBER', number)}) { totalCount }`;
    const found = await world.owner.client.graphql<Record<string, Record<string, { totalCount: number }>>>(
      `query($p: ID!, $survey: ID!) { flag: flagByKey(projectId: $p, key: "flag-3") { ${list('versionNumber')} }
        item: configItemByKey(projectId: $p, key: "item-4") { ${list('versionNumber')} } survey(id: $survey) { ${list('version')} } }`,
      { p: world.projectId, survey: id },
    );
    assert.equal(
      Object.values(found).map(({ versions: page }) => page?.totalCount),
      [count, count, count],
      filter,
    );
  }
});

versions('identical fields give identical results, including lists of their nodes', async ({ world }) => {
  const items =
    'configItems(projectId: $p, first: 2) { nodes { key versions(first: 1) { nodes { createdAt } totalCount } rule { createdAt } } }';
  const query = `query($p: ID!) { a: ${items} b: ${items.replace(' totalCount', '')} c: ${items.replace(' totalCount', '')} }`;
  const { a, b, c } = await world.owner.client.graphql<Record<string, { nodes: { versions: object }[] }>>(query, {
    p: world.projectId,
  });
  assert.equal(c, b);
  assert.equal(
    b?.nodes.map(({ versions }) => ({ ...versions, totalCount: 1 })),
    a?.nodes.map(({ versions }) => versions),
  );
});

versions('flags and items are found by key, with values as JSON and their authors', async ({ test, world }) => {
  const { email } = world.owner;
  const query = `query($p: ID!) {
    flagByKey(projectId: $p, key: "flag-3") { key versions { nodes { flag { key } actor { email } } } }
    configItemByKey(projectId: $p, key: "item-4") { value rule { item { key } }
      versions { nodes { value rule item { key } actor { email } } } } }`;
  const found = await world.owner.client.graphql(query, { p: world.projectId });
  assert.equal(found, {
    flagByKey: { key: 'flag-3', versions: { nodes: [{ flag: { key: 'flag-3' }, actor: { email } }] } },
    configItemByKey: {
      value: { a: [1] },
      rule: { item: { key: 'item-4' } },
      versions: {
        nodes: [
          { value: { a: [1] }, rule: { cohort: 'beta', value: '{"a":[]}' }, item: { key: 'item-4' }, actor: { email } },
        ],
      },
    },
  });
  const { client } = world.owner;
  for (const [root, code] of [
    ['flagByKey', 'FLAG_NOT_FOUND'],
    ['configItemByKey', 'ITEM_NOT_FOUND'],
  ]) {
    const elsewhere = `{ ${root}(projectId: "${world.projectId}", environment: test, key: "flag-3") { id } }`;
    assert.is((await refusalOf(client.graphql(elsewhere))).code, code);
    const other = (await buildWorld(test)).owner.client;
    assert.is((await refusalOf(other.graphql(elsewhere))).code, 'PROJECT_NOT_FOUND');
  }
});

versions('items are archived in bulk, each with its own result', async ({ world, items }) => {
  const { archiveConfigItems } = await world.owner.client.graphql<{ archiveConfigItems: object[] }>(
    'mutation($ids: [ID!]!) { archiveConfigItems(input: { ids: $ids }) { object { isArchived } error { code } } }',
    { ids: [items[0], 'none', items[1]] },
  );
  const archived = { object: { isArchived: true }, error: null };
  assert.equal(archiveConfigItems, [archived, { object: null, error: { code: 'ITEM_NOT_FOUND' } }, archived]);
});

versions.run();
