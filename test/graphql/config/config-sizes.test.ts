import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildProject, buildWorld } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { nested } from '../../support/openapi/hostile-schemas.js';
import { openTestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const sizes = worldSuite('sizes of config items');

const [VALUE_BYTES, TEXT_BYTES] = [256 * 1024, 64 * 1024];
const UPDATE = 'mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { currentVersion } }';

const tooLarge = (field: string, unit: string) => ({
  code: 'VALUE_TOO_LARGE',
  details: { field, most: unit === 'bytes' ? VALUE_BYTES : 256, unit },
});

async function refusal(operation: Promise<unknown>) {
  const { code, details } = (await refusalOf(operation)).errors[0]?.extensions ?? {};
  return { code, details };
}

sizes('previews of values have at most 300 characters and never split one', async ({ world }) => {
  const previewOf = async (value: string) => {
    const { id } = await buildConfigItem(world, { type: 'string', value });
    const { configItem } = await world.owner.client.graphql<{ configItem: { valuePreview: string } }>(
      `{ configItem(id: "${id}") { valuePreview } }`,
    );
    return configItem.valuePreview;
  };
  const whole = 'a'.repeat(300);
  assert.is(await previewOf(whole), whole);
  assert.is(await previewOf(`${whole}b`), `${whole}…`);
  assert.is(await previewOf(`${whole.slice(1)}\u{1f600}`), `${whole.slice(1)}…`);
});

sizes('values have at most 256 KiB of text, in bytes', async ({ world }) => {
  for (const value of ['a'.repeat(VALUE_BYTES), 'é'.repeat(VALUE_BYTES / 2)])
    assert.ok((await buildConfigItem(world, { type: 'string', value })).id);
  for (const value of ['a'.repeat(VALUE_BYTES + 1), 'é'.repeat(VALUE_BYTES / 2 + 1)]) {
    assert.equal(await refusal(buildConfigItem(world, { type: 'string', value })), tooLarge('value', 'bytes'));
    const rule = { cohort: 'beta', value };
    const ruled = buildConfigItem(world, { type: 'string', value: 'a', rule });
    assert.equal(await refusal(ruled), tooLarge('rule.value', 'bytes'));
  }
});

sizes('values are at most 256 levels deep', async ({ world }) => {
  const { id } = await buildConfigItem(world, { type: 'json', value: nested('[', 256, ']') });
  assert.ok((await buildConfigItem(world, { type: 'json', value: nested('{"a":', 256, '}', '"[["') })).id);
  for (const value of [nested('[', 257, ']'), nested('{"a":', 257, '}', '1'), nested('[', 100_000, ']')]) {
    assert.equal(await refusal(buildConfigItem(world, { type: 'json', value })), tooLarge('value', 'levels'));
    const changed = world.owner.client.graphql(UPDATE, { input: { id, rule: { cohort: 'beta', value } } });
    assert.equal(await refusal(changed), tooLarge('rule.value', 'levels'));
  }
  assert.ok(
    (await buildConfigItem(world, { type: 'string', value: nested('[', 100_000, ']') })).id,
    'text is not JSON',
  );
});

sizes('descriptions have at most 64 KiB', async ({ world }) => {
  const { client } = world.owner;
  const { id } = await buildConfigItem(world, {});
  assert.ok(await client.graphql(UPDATE, { input: { id, description: 'é'.repeat(TEXT_BYTES / 2) } }));
  const refused = await refusalOf(
    client.graphql(UPDATE, { input: { id, description: 'é'.repeat(TEXT_BYTES / 2 + 1) } }),
  );
  assert.is(refused.code, 'INVALID_INPUT');
  assert.match(refused.message, /description/);
});

sizes('schemas have at most 64 KiB', async ({ world }) => {
  const schema = (bytes: number) => ({ $comment: 'a'.repeat(bytes - JSON.stringify({ $comment: '' }).length) });
  assert.ok((await buildConfigItem(world, { jsonSchema: schema(TEXT_BYTES) })).id);
  assert.is((await refusal(buildConfigItem(world, { jsonSchema: schema(TEXT_BYTES + 1) })))?.code, 'BAD_SCHEMA');
});

sizes('a version from before the limits cannot be restored, and its preview says why', async ({ test, world }) => {
  const { client } = world.owner;
  const { id } = await buildConfigItem(world, { type: 'json', value: '[]' });
  const { rows } = await test.app.pool.query<{ id: string }>(
    `insert into config_version (id, item_id, version_number, action, value_snapshot, actor_id, actor_email, created_at)
     select gen_random_uuid(), item_id, 2, 'changed', $2, actor_id, actor_email, created_at from config_version where item_id = $1
     returning id`,
    [id, nested('[', 100_000, ']')],
  );
  await test.app.pool.query('update config_item set current_version = 2 where id = $1', [id]);
  const old = rows[0]?.id;
  const { previewRollback } = await client.graphql<{ previewRollback: { obstacle: string } }>(
    'query($i: ID!, $v: ID!) { previewRollback(itemId: $i, versionId: $v) { obstacle } }',
    { i: id, v: old },
  );
  assert.match(previewRollback.obstacle, /256 levels/);
  const answer = await client.post(`/api/v1/config/items/${id}/rollback`, { version_id: old });
  assert.is(answer.status, 422);
  assert.is((answer.body as { error: string }).error, 'value_too_large');
});

sizes(
  'a query reads at most 32 MiB, and terminating its connection affects nobody else',
  async ({ test, world: { owner, ...first } }) => {
    const world = await buildProject({ owner, ...first });
    for (const key of ['first', 'second']) {
      const { id } = await buildConfigItem(world, { key, type: 'string', value: 'short' });
      await test.app.pool.query(
        `insert into config_version (id, item_id, version_number, action, value_snapshot, actor_id, actor_email, created_at)
       select gen_random_uuid(), item_id, n, 'changed', repeat('a', 262144), actor_id, actor_email, created_at
         from config_version, generate_series(2, 90) as n where item_id = $1`,
        [id],
      );
    }
    const query = (versions: number) =>
      owner.client.graphql<{
        configItems: { edges: { node: { versions: { edges: { node: { valueSnapshot: string } }[] } } }[] };
      }>(
        `query($project: ID!, $versions: Int!) { configItems(projectId: $project, first: 10) {
         edges { node { versions(first: $versions) { edges { node { valueSnapshot } } } } } } }`,
        { project: world.projectId, versions },
      );
    const refused = await refusal(query(90));
    assert.equal(refused, { code: 'QUERY_TOO_LARGE', details: { what: 'bytes', limit: 32 * 1024 * 1024 } });
    for (let round = 0; round < 3; round += 1) {
      const { configItems } = await query(20);
      assert.is(configItems.edges.flatMap(({ node }) => node.versions.edges).length, 40);
    }
  },
);

sizes("a query's reading stops at its time limit, and nothing keeps running", async () => {
  const test = await openTestApp({ settings: { GRAPHQL_READING_MS: '400' } });
  const world = await buildWorld(test);
  const { id } = await buildConfigItem(world, { key: 'slow' });
  const query = () =>
    world.owner.client.graphql<{ configItem: { key: string } }>('query($id: ID!) { configItem(id: $id) { key } }', {
      id,
    });
  const blocker = await test.app.pool.connect();
  await blocker.query('begin; lock table config_item in access exclusive mode');
  const refused = await refusal(query());
  assert.equal(refused, { code: 'QUERY_TOO_LARGE', details: { what: 'milliseconds', limit: 400 } });
  await until('the statement ends', async () => {
    const { rows } = await blocker.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%config_item%'`,
    );
    return rows[0]?.waiting === 0;
  });
  await blocker.query('rollback');
  blocker.release();
  // On a busy machine even this may exceed so short a limit.
  const read = await until('it is read', () => query().catch(() => null));
  assert.is(read.configItem.key, 'slow');
  await test.close();
});

sizes.run();
