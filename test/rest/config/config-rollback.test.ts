import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { Client } from '../../support/client.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildMember, buildWorld } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const rollback = worldSuite('POST /api/v1/config/items/:id/rollback');

interface Version {
  id: string;
  version_number: number;
  action: string;
  value_snapshot: string;
  rule_snapshot: string | null;
  note: string | null;
}

async function versionsOf(client: Client, itemId: string): Promise<Version[]> {
  const { body } = await client.get(`/api/v1/config/items/${itemId}/versions`);
  return (body as { versions: Version[] }).versions;
}

rollback('appends a version equal to the target, and restores the item and its rule to it', async ({ world }) => {
  const { client } = world.owner;
  const item = await buildConfigItem(world, { value: '10', rule: { cohort: 'beta', value: '11' } });
  await client.graphql('mutation($i: UpdateConfigItemInput!) { updateConfigItem(input: $i) { id } }', {
    i: { id: item.id, value: '20', rule: null },
  });
  const [, first] = await versionsOf(client, item.id);
  const answer = await client.post(`/api/v1/config/items/${item.id}/rollback`, { version_id: first?.id, note: 'back' });
  assert.is(answer.status, 200);
  const body = answer.body as { item: Record<string, unknown>; version: Version; rule: Record<string, unknown> };
  assert.equal(Object.keys(body), ['item', 'version', 'rule']);
  assert.is(body.item.default_value, '10');
  assert.is(body.item.current_version, 3);
  assert.is(body.version.action, 'rolled_back');
  assert.is(body.version.version_number, 3);
  assert.is(body.version.value_snapshot, '10');
  assert.is(body.version.rule_snapshot, '{"cohort":"beta","value":"11"}');
  assert.is(body.version.note, 'back');
  assert.is(body.rule.cohort, 'beta');
  assert.equal(
    (await versionsOf(client, item.id)).map((version) => version.action),
    ['rolled_back', 'changed', 'created'],
  );
});

rollback(
  'of a rollback works the same way, and rolling back to a version without a rule removes the rule',
  async ({ world }) => {
    const { client } = world.owner;
    const item = await buildConfigItem(world, { value: '1' });
    await client.graphql('mutation($i: UpdateConfigItemInput!) { updateConfigItem(input: $i) { id } }', {
      i: { id: item.id, rule: { cohort: 'vip', value: '2' } },
    });
    const path = `/api/v1/config/items/${item.id}/rollback`;
    const created = (await versionsOf(client, item.id)).at(-1) as Version;
    const first = await client.post(path, { version_id: created.id });
    assert.is((first.body as { rule: unknown }).rule, null);
    const again = await client.post(path, { version_id: (first.body as { version: Version }).version.id });
    assert.is(again.status, 200);
    assert.is((again.body as { version: Version }).version.version_number, 4);
  },
);

rollback('is refused row by row of its error table, in the order of checks', async ({ test, world }) => {
  const item = await buildConfigItem(world, {});
  const other = await buildConfigItem(world, {});
  const [version] = await versionsOf(world.owner.client, item.id);
  const [foreignVersion] = await versionsOf(world.owner.client, other.id);
  const viewer = await buildMember(test, world, 'viewer');
  const editor = await buildMember(test, world, 'editor');
  const stranger = (await buildWorld(test)).owner;
  const anonymous = new Client(test.baseUrl);
  const path = (id: string) => `/api/v1/config/items/${id}/rollback`;
  const good = { version_id: version?.id };
  const notFound = { status: 404, text: '{"error":"Item not found"}' };
  const cases: [string, Promise<{ status: number; text: string }>, { status: number; text: string }][] = [
    ['no token', anonymous.post(path(item.id), good), { status: 401, text: '{"error":"Invalid token"}' }],
    [
      'no token, unknown item',
      anonymous.post(path(randomUUID()), good),
      { status: 401, text: '{"error":"Invalid token"}' },
    ],
    ['unknown item', editor.client.post(path(randomUUID()), {}), notFound],
    ['malformed id', editor.client.post(path('abc'), good), notFound],
    ['NUL in the id', editor.client.post(path(`${item.id}%00`), good), notFound],
    ['item of another organization', stranger.client.post(path(item.id), good), notFound],
    [
      'viewer without a body',
      viewer.client.post(path(item.id), '{'),
      { status: 403, text: '{"error":"Permission denied"}' },
    ],
    [
      'no version_id',
      editor.client.post(path(item.id), {}),
      { status: 400, text: '{"error":"version_id is required"}' },
    ],
    [
      'body is no JSON',
      editor.client.post(path(item.id), '{'),
      { status: 400, text: '{"error":"version_id is required"}' },
    ],
    [
      'version of another item',
      editor.client.post(path(item.id), { version_id: foreignVersion?.id }),
      { status: 404, text: '{"error":"Version not found for this item"}' },
    ],
    [
      'malformed version_id',
      editor.client.post(path(item.id), { version_id: 'x' }),
      { status: 404, text: '{"error":"Version not found for this item"}' },
    ],
  ];
  for (const [name, answer, expected] of cases) {
    const { status, text } = await answer;
    assert.equal({ status, text }, expected, name);
  }
  assert.is((await versionsOf(world.owner.client, item.id)).length, 1, 'a refused rollback appends nothing');
});

rollback.run();
