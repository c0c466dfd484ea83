import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { type GraphqlError, type GraphqlRefusal, refusalOf } from '../../support/client.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildMember, buildWorld, type World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { ENDLESS_CHECKS, nested, UNUSABLE, USABLE } from '../../support/openapi/hostile-schemas.js';
import { ownMilliseconds } from '../../support/processor-time.js';
import type { TestApp } from '../../support/test-app.js';

const CONNECTIONS = 4;
const schemas = worldSuite('JSON Schemas of config items', { settings: { DATABASE_POOL: String(CONNECTIONS) } });

/** CPU time. A schema that ran in the server's own thread would take many seconds of it at a stretch. */
const MOST_MS = 1_500;
/** Polling without a pause would take the CPU time that the check needs. */
const BETWEEN_QUESTIONS_MS = 50;

/** Concurrent checks of one organization: more than there are database connections. */
const MANY_CHECKS = CONNECTIONS + 2;

const UPDATE = 'mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { currentVersion } }';
const ROLL_BACK =
  'mutation($i: ID!, $v: ID!) { rollbackConfigItem(input: { itemId: $i, versionId: $v }) { item { id } } }';
const PREVIEW = 'query($i: ID!, $v: ID!) { previewRollback(itemId: $i, versionId: $v) { obstacle } }';
const HOSTILE_PATTERN = { pattern: '^(a+)+$' };
const HOSTILE_TEXT = `${'a'.repeat(31)}!`;

const detailsOf = (refusal: GraphqlRefusal) => refusal.errors[0]?.extensions.details ?? {};
const itemOf = (world: World, jsonSchema: unknown, value: unknown) =>
  buildConfigItem(world, { type: 'json', value: JSON.stringify(value), jsonSchema });

/** Polls the server's health until the work is done; no poll may find the thread busy with anything else. */
async function whileOthersAreAnswered<T>(test: TestApp, work: Promise<T>): Promise<T> {
  let isDone = false;
  const noted = work.finally(() => {
    isDone = true;
  });
  noted.catch(() => undefined);
  for (let asked = 0; !isDone || asked < 1; asked++) {
    const took = await ownMilliseconds(async () => {
      assert.is((await fetch(`${test.baseUrl}/healthz`)).status, 200);
      await sleep(BETWEEN_QUESTIONS_MS);
    }, 1);
    assert.ok(took < MOST_MS, `the server's thread worked for ${took} ms`);
  }
  return noted;
}

/** A text item for which the current schema would check the oldest version forever, and rejects the second version at once. */
async function itemWithHostilePast(world: World): Promise<{ id: string; past: string; refused: string }> {
  const { client } = world.owner;
  const { id } = await buildConfigItem(world, { type: 'string', value: HOSTILE_TEXT });
  await client.graphql(UPDATE, { input: { id, value: 'b' } });
  await client.graphql(UPDATE, { input: { id, value: 'aaa', jsonSchema: HOSTILE_PATTERN } });
  const { configItem } = await client.graphql<{ configItem: { versions: { nodes: { id: string }[] } } }>(
    'query($id: ID!) { configItem(id: $id) { versions { nodes { id } } } }',
    { id },
  );
  const [, refused, past] = configItem.versions.nodes.map((version) => version.id);
  return { id, past: past ?? '', refused: refused ?? '' };
}

for (const [name, schema, place] of UNUSABLE) {
  schemas(`that refer to or have ${name} are refused with their path`, async ({ world }) => {
    const refused = await refusalOf(itemOf(world, schema, 1));
    assert.is(refused.code, 'BAD_SCHEMA', refused.message);
    assert.is(detailsOf(refused).place, place);
    assert.ok(refused.message.length < 1_000);
  });
}

schemas('thousands of levels deep are refused with the request, like any such JSON', async ({ world }) => {
  const input = { projectId: world.projectId, key: 'deep', type: 'int', value: '1', jsonSchema: '…' };
  const query = 'mutation($input: CreateConfigItemInput!) { createConfigItem(input: $input) { id } }';
  const body = JSON.stringify({ query, variables: { input } });
  for (const levels of [5_000, 100_000]) {
    const answer = await world.owner.client.post('/graphql', body.replace('"…"', nested('{"not":', levels, '}', '{}')));
    assert.is((answer.body as { errors: GraphqlError[] }).errors[0]?.extensions.code, 'QUERY_TOO_LARGE');
  }
});

for (const [name, schema, good, bad] of USABLE) {
  schemas(`may have ${name}`, async ({ world }) => {
    assert.ok((await itemOf(world, schema, good)).id);
    const refused = await refusalOf(itemOf(world, schema, bad));
    assert.is(refused.code, 'SCHEMA_VIOLATION', refused.message);
    assert.is(detailsOf(refused).field, 'value');
  });
}

for (const [name, schema, value] of ENDLESS_CHECKS) {
  schemas(
    `that take forever to check (${name}) are refused while other requests are answered`,
    async ({ test, world }) => {
      const refused = await whileOthersAreAnswered(test, refusalOf(itemOf(world, schema, value)));
      assert.is(refused.code, 'SCHEMA_TIMEOUT', refused.message);
      assert.equal(detailsOf(refused), { field: 'value', milliseconds: 250 });
    },
  );
}

schemas('cannot block the server through any API', async ({ test, world }) => {
  const { client } = world.owner;
  const { id, past } = await itemWithHostilePast(world);
  const viewer = await buildMember(test, world, 'viewer');
  const rule = { cohort: 'beta', value: HOSTILE_TEXT };
  const changes = [
    () => client.graphql(UPDATE, { input: { id, value: HOSTILE_TEXT } }),
    () => client.graphql(UPDATE, { input: { id, rule } }),
    () => client.graphql(ROLL_BACK, { i: id, v: past }),
    () => buildConfigItem(world, { type: 'string', value: 'a', rule, jsonSchema: HOSTILE_PATTERN }),
  ];
  for (const change of changes) {
    const refused = await whileOthersAreAnswered(test, refusalOf(change()));
    assert.is(refused.code, 'SCHEMA_TIMEOUT', change.toString());
  }
  const { previewRollback } = await whileOthersAreAnswered(
    test,
    viewer.client.graphql<{ previewRollback: { obstacle: string } }>(PREVIEW, { i: id, v: past }),
  );
  assert.match(previewRollback.obstacle, /takes more than 250 ms/);
  const answer = await whileOthersAreAnswered(
    test,
    client.post(`/api/v1/config/items/${id}/rollback`, { version_id: past }),
  );
  assert.is(answer.status, 422);
  assert.is((answer.body as { error: string }).error, 'schema_timeout');
  const { updateConfigItem } = await client.graphql<{ updateConfigItem: { currentVersion: number } }>(UPDATE, {
    input: { id, value: 'aaaa' },
  });
  assert.is(updateConfigItem.currentVersion, 4, 'refused changes left no version behind');
});

schemas("of one organization delay neither another's checks nor its database connections", async ({ test }) => {
  const [noisy, quiet] = [await buildWorld(test), await buildWorld(test)];
  const { id } = await itemWithHostilePast(noisy);
  let answered = 0;
  const asking = Array.from({ length: MANY_CHECKS }, async () => {
    const { code } = await refusalOf(noisy.owner.client.graphql(UPDATE, { input: { id, value: HOSTILE_TEXT } }));
    answered += 1;
    return code;
  });
  for (let index = 0; index < 3; index++) await itemOf(quiet, { type: 'integer', maximum: 10 }, index);
  assert.ok(answered < MANY_CHECKS, 'the quiet ones were answered before the noisy ones finished');
  const codes = await Promise.all(asking);
  // On a slow machine the last ones have waited too long.
  assert.equal(
    codes.filter((code) => code !== 'SCHEMA_TIMEOUT' && code !== 'CHECK_BUSY'),
    [],
  );
  assert.ok(codes.includes('SCHEMA_TIMEOUT'));
});

schemas('are refused with their own error code when too many are waiting', async ({ test }) => {
  const [greedy, other] = [await buildWorld(test), await buildWorld(test)];
  const { client } = greedy.owner;
  const { id, past, refused } = await itemWithHostilePast(greedy);
  const preview = (at: number) =>
    `p${at}: previewRollback(itemId: $i, versionId: ${at < 2 ? '$v' : '$quick'}) { obstacle }`;
  const query = `query($i: ID!, $v: ID!, $quick: ID!) { ${Array.from({ length: 45 }, (_, at) => preview(at)).join(' ')} }`;
  const asked = [1, 2].map(() => client.post('/graphql', { query, variables: { i: id, v: past, quick: refused } }));
  assert.ok((await itemOf(other, { type: 'integer' }, 1)).id, 'there is room for others');
  const answers = await Promise.all(asked);
  const errors = answers.flatMap(({ body }) => (body as { errors?: GraphqlError[] }).errors ?? []);
  assert.equal([...new Set(errors.map(({ extensions }) => extensions.code))], ['CHECK_BUSY']);
});

schemas('stored before such schemas were refused affect only checks', async ({ test, world }) => {
  const { client } = world.owner;
  const { id } = await buildConfigItem(world, {});
  await test.app.pool.query(`update config_item set json_schema = '{"$async": true}' where id = $1`, [id]);
  assert.ok(await client.graphql(UPDATE, { input: { id, description: 'described' } }));
  assert.is((await refusalOf(client.graphql(UPDATE, { input: { id, value: '2' } }))).code, 'BAD_SCHEMA');
  const { body } = await client.get(`/api/v1/config/items/${id}/versions`);
  const [version] = (body as { versions: { id: string }[] }).versions;
  const answer = await client.post(`/api/v1/config/items/${id}/rollback`, { version_id: version?.id });
  assert.is(answer.status, 422);
  assert.is((answer.body as { error: string }).error, 'bad_schema');
  assert.ok(await client.graphql(UPDATE, { input: { id, value: '2', jsonSchema: null } }));
});

schemas.run();
