import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Client } from '../../support/client.js';
import { EventStream } from '../../support/event-stream.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildKey, buildProject, buildWorld, setPlan, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const x = suite<{ test: TestApp; world: World; server: Client }>('definitions for servers');

const PATH = '/api/v1/switch/definitions';

x.before(async (context) => {
  context.test = await openTestApp();
  context.world = await buildWorld(context.test);
  const { owner, projectId } = context.world;
  context.server = context.world.live.withKey(await buildKey(owner, projectId, 'live', ['definitions']));
});
x.after(({ test }) => test.close());

interface Answer {
  project_id: string;
  environment: string;
  flags: { key: string; halted: boolean; archived: boolean; rules: unknown[]; prerequisites: unknown[] }[];
  config: { key: string; rules: unknown[] }[];
}

x('tell flags and config items of the environment with all their rules', async ({ world, server }) => {
  const { key: cart } = await buildFlag(world, { key: 'cart' });
  await buildFlag(world, {
    key: 'checkout',
    prerequisites: [{ key: cart, variants: ['on'] }],
    rules: [
      {
        conditions: [{ attribute: 'props.plan', operator: 'in', values: ['pro'] }],
        percentage: 30,
        bucketBy: 'props.company',
        split: [
          { variant: 'on', weight: 3 },
          { variant: 'off', weight: 1 },
        ],
      },
    ],
  });
  await buildFlag(world, { key: 'elsewhere', environment: 'test' });
  await buildConfigItem(world, { key: 'limit', value: '5', rule: { cohort: 'beta', value: '7' } });
  await buildConfigItem(world, {
    key: 'size',
    value: '1',
    rules: [{ conditions: [{ attribute: 'platform', values: ['ios'] }], value: '2' }],
  });
  const { status, body, headers } = await server.get(PATH);
  const { project_id, environment, flags, config } = body as unknown as Answer;
  assert.equal([status, project_id, environment], [200, world.projectId, 'live']);
  assert.is(headers.get('cache-control'), 'private, no-cache');
  assert.equal(
    flags.map(({ key }) => key),
    ['cart', 'checkout'],
  );
  assert.equal(flags[1], {
    key: 'checkout',
    version: 1,
    variants: [
      { key: 'on', value: true },
      { key: 'off', value: false },
    ],
    default_variant: 'off',
    rules: [
      {
        conditions: [{ attribute: 'props.plan', operator: 'in', values: ['pro'] }],
        percentage: 30,
        salt: null,
        bucket_by: 'props.company',
        variant: 'on',
        split: [
          { variant: 'on', weight: 3, buckets: [[0, 75_000]] },
          { variant: 'off', weight: 1, buckets: [[75_000, 100_000]] },
        ],
      },
    ],
    prerequisites: [{ key: 'cart', variants: ['on'] }],
    halted: false,
    archived: false,
  });
  const rule = { percentage: 100, salt: null, bucket_by: null, split: null };
  assert.equal(config, [
    {
      key: 'limit',
      type: 'int',
      version: 1,
      value: '5',
      rules: [{ conditions: [{ attribute: 'cohort', values: ['beta'] }], ...rule, value: '7' }],
    },
    {
      key: 'size',
      type: 'int',
      version: 1,
      value: '1',
      rules: [{ conditions: [{ attribute: 'platform', values: ['ios'] }], ...rule, value: '2' }],
    },
  ]);
});

x('are the same until something changes, and a halt shows at once', async ({ world, server }) => {
  const { headers } = await server.get(PATH);
  const etag = headers.get('etag') ?? '';
  const known = await server.get(PATH, { 'if-none-match': etag });
  assert.equal([known.status, known.text, known.headers.get('etag')], [304, '', etag]);
  await world.live.post('/api/switch/halt-webhook', { flag_key: 'cart', reason: 'errors' });
  const { status, body } = await server.get(PATH, { 'if-none-match': etag });
  assert.is(status, 200);
  assert.is((body as unknown as Answer).flags[0]?.halted, true);
});

x('are for keys that were made for them, and for no page of another origin', async ({ world, server }) => {
  const refused = await world.live.get(PATH);
  assert.equal([refused.status, (refused.body as { error: string }).error], [403, 'insufficient_scope']);
  const { headers } = await server.get(PATH, { origin: 'https://app.example.com' });
  assert.is(headers.get('access-control-allow-origin'), null);
});

x('leave out what a disabled module would decide', async ({ world, server }) => {
  const disable = (disabledModules: string[]) =>
    world.owner.client.graphql('mutation($i: UpdateProjectInput!) { updateProject(input: $i) { id } }', {
      i: { id: world.projectId, disabledModules },
    });
  await disable(['switch']);
  const { flags, config } = (await server.get(PATH)).body as unknown as Answer;
  assert.equal([flags.length, config.length > 0], [0, true]);
  await disable([]);
});

x('have a stream that brings what changed, and ends with its key', async ({ test, world }) => {
  const { client } = world.owner;
  const { createApiKey: made } = await client.graphql<{ createApiKey: { secret: string; key: { id: string } } }>(
    'mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret key { id } } }',
    { input: { projectId: world.projectId, environment: 'live', scopes: ['definitions'] } },
  );
  const headers = { 'x-api-key': made.secret };
  const stream = await EventStream.open(`${test.baseUrl}${PATH}/stream`, headers);
  assert.is(stream.status, 200);
  const { id, data } = await stream.next('put');
  const answer = await world.live.withKey(made.secret).get(PATH);
  assert.equal([data.etag, id], [answer.headers.get('etag'), (answer.headers.get('etag') ?? '').slice(1, -1)]);
  assert.is(JSON.stringify(data.definitions), answer.text);
  const { key } = await buildFlag(world);
  const patch = await stream.next('patch');
  const { put } = patch.data.flags as { put: { key: string }[] };
  assert.equal(
    put.map((flag) => flag.key),
    [key],
  );
  assert.equal([patch.data.from, patch.data.config], [data.etag, { put: [], delete: [] }]);
  const later = await EventStream.open(`${test.baseUrl}${PATH}/stream`, { ...headers, 'last-event-id': id });
  assert.equal((await later.next('patch')).data, patch.data);
  assert.is((await later.next('ready')).id, patch.id);
  const unknown = await EventStream.open(`${test.baseUrl}${PATH}/stream?last_event_id=unheard-of`, headers);
  assert.is((await unknown.next('put')).id, patch.id);
  await client.graphql('mutation($input: IdInput!) { revokeApiKey(input: $input) { id } }', {
    input: { id: made.key.id },
  });
  for (const each of [stream, later, unknown]) await until('the end', () => each.ended);
});

x('count against the monthly quota of decisions, their stream when it is opened', async ({ world }) => {
  const owned = await buildProject(world);
  const server = owned.live.withKey(await buildKey(owned.owner, owned.projectId, 'live', ['definitions']));
  await setPlan(owned, { decisions: 1 });
  assert.is((await server.get(PATH)).status, 200);
  for (const path of [PATH, `${PATH}/stream`]) {
    const refused = await server.get(path);
    assert.equal([refused.status, (refused.body as { error: string }).error], [429, 'quota_exceeded'], path);
  }
});

x.run();
