import { hash } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Client } from '../../support/client.js';
import { EventStream } from '../../support/event-stream.js';
import { buildCohort } from '../../support/factories/cohort-factory.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildKey, buildProject, setPlan } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { until } from '../../support/until.js';

const x = worldSuite<{ server: Client }>('definitions for servers');

const PATH = '/api/v1/switch/definitions';

x.before(async (context) => {
  const { owner, projectId } = context.world;
  context.server = context.world.live.withKey(await buildKey(owner, projectId, 'live', ['definitions']));
});

interface Answer {
  project_id: string;
  environment: string;
  flags: { key: string; halted: boolean; archived: boolean; rules: unknown[]; prerequisites: unknown[] }[];
  config: { key: string; rules: unknown[] }[];
}

x("contain the environment's flags and config items with all their rules", async ({ world, server }) => {
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
  const { project_id, environment, flags, config } = body as Answer;
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

x(
  'contain the cohorts that active rules use, with listed ids as hashes unless there are very many',
  async ({ world }) => {
    const project = await buildProject(world);
    const { owner, projectId } = project;
    const server = project.live.withKey(await buildKey(owner, projectId, 'live', ['definitions']));
    const plan = { attribute: 'props.plan', operator: 'in', values: ['pro'] };
    const many = Array.from({ length: 1_001 }, (_, n) => `id-${n}`);
    const ids: Record<string, string> = {};
    for (const [name, members] of Object.entries({
      payers: { predicate: 'OR(props.plan = "pro", AND(props.a = "1", props.b = "x"))' },
      friends: { distinctIds: ['ann@example.com', 'bob'], rules: [{ conditions: [plan], percentage: 50 }] },
      many: { members: { distinctIds: many } },
      'asked-nowhere': { distinctIds: ['cleo'] },
      'asked-when-resumed': { distinctIds: ['dora'] },
    }))
      ids[name] = await buildCohort(project, { name, ...members });
    const asks = (...values: string[]) => [
      { conditions: [{ attribute: 'cohort', operator: 'in', values }], variant: 'on' },
    ];
    await buildFlag(project, { key: 'asks', rules: asks('payers', 'many', 'unheard-of') });
    await buildConfigItem(project, { key: 'limit', value: '5', rule: { cohort: 'friends', value: '7' } });
    const halted = await buildFlag(project, { key: 'halted', rules: asks('asked-when-resumed') });
    await project.live.post('/api/switch/halt-webhook', { flag_key: halted.key, reason: 'x' });
    const cohorts = async () => ((await server.get(PATH)).body as { cohorts: { name: string }[] }).cohorts;
    const hashOf = (name: string, id: string) => hash('sha256', `${ids[name]}:${id}`).slice(0, 16);
    assert.equal(await cohorts(), [
      {
        name: 'friends',
        id: ids.friends,
        predicate: null,
        rules: [{ conditions: [plan], percentage: 50, salt: null, bucket_by: null }],
        listed: 2,
        id_hashes: [hashOf('friends', 'ann@example.com'), hashOf('friends', 'bob')].sort(),
      },
      { name: 'many', id: ids.many, predicate: null, rules: [], listed: 1_001, id_hashes: null },
      {
        name: 'payers',
        id: ids.payers,
        predicate: {
          any: [
            { key: 'plan', value: 'pro' },
            {
              all: [
                { key: 'a', value: '1' },
                { key: 'b', value: 'x' },
              ],
            },
          ],
        },
        rules: [],
        listed: 0,
        id_hashes: [],
      },
    ]);
    await owner.client.graphql('mutation($i: ResumeFlagInput!) { resumeFlag(input: $i) { id } }', {
      i: { flagId: halted.id },
    });
    assert.equal(
      (await cohorts()).map(({ name }) => name),
      ['asked-when-resumed', 'friends', 'many', 'payers'],
    );
    await buildFlag(project, {
      key: 'searches',
      rules: [{ conditions: [{ attribute: 'cohort', operator: 'starts_with', values: ['x'] }], variant: 'on' }],
    });
    assert.is((await cohorts()).length, 5);
  },
);

x('stay the same until something changes, and show a halt at once', async ({ world, server }) => {
  const { headers } = await server.get(PATH);
  const etag = headers.get('etag') ?? '';
  const known = await server.get(PATH, { 'if-none-match': etag });
  assert.equal([known.status, known.text, known.headers.get('etag')], [304, '', etag]);
  await world.live.post('/api/switch/halt-webhook', { flag_key: 'cart', reason: 'errors' });
  const { status, body } = await server.get(PATH, { 'if-none-match': etag });
  assert.is(status, 200);
  assert.is((body as Answer).flags[0]?.halted, true);
});

x('need a key with the right scope, and are closed to pages of other origins', async ({ world, server }) => {
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
  const { flags, config } = (await server.get(PATH)).body as Answer;
  assert.equal([flags.length, config.length > 0], [0, true]);
  await disable([]);
});

x('have a stream that sends what changed, and ends with its key', async ({ test, world }) => {
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
  assert.equal((await stream.next('ready')).data, { ping_seconds: 15, etag: data.etag });
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

x('count towards the monthly quota of decisions, their stream when it is opened', async ({ world }) => {
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
