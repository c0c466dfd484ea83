import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { DECISION_MODULES, type DecisionModule } from '../../../src/modules/handshake/decision-modules.js';
import { Client, type RestAnswer, refusalOf } from '../../support/client.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildKey, setPlan } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldPerTestSuite } from '../../support/factories/world-suite.js';
import { until } from '../../support/until.js';

const handshake = worldPerTestSuite('GET /api/v1/handshake');

const PATH = '/api/v1/handshake';

interface Slice {
  etag: string;
  enabled: boolean;
}

interface Decided {
  project_id: string;
  environment: string;
  modules: Record<Exclude<DecisionModule, 'switch' | 'config'>, Slice & Record<string, unknown>> & {
    switch: Slice & { flags: Record<string, { value: unknown; variant: string; reason: string; version: number }> };
    config: Slice & { values: Record<string, { value: unknown; type: string; version: number; reason: string }> };
  };
}
const decided = (answer: RestAnswer) => answer.body as Decided;

handshake('consolidates the decisions of all modules under one strong tag', async ({ world }) => {
  const flag = await buildFlag(world);
  const item = await buildConfigItem(world, { type: 'json', value: '{"a":1}' });
  const answer = await world.live.get(`${PATH}?distinct_id=u1&app_version=1.2.3&platform=ios&os_version=17&locale=de`);
  assert.is(answer.status, 200);
  assert.match(answer.headers.get('etag') ?? '', /^"[\w-]{27}"$/);
  assert.is(answer.headers.get('cache-control'), 'private, no-cache');
  assert.is(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.match(answer.headers.get('access-control-expose-headers') ?? '', /ETag/);
  const { project_id, environment, modules } = decided(answer);
  assert.is(project_id, world.projectId);
  assert.is(environment, 'live');
  assert.equal(Object.keys(modules), [...DECISION_MODULES]);
  assert.equal(modules.switch.flags, { [flag.key]: { value: true, variant: 'on', reason: 'rule', version: 1 } });
  assert.equal(modules.config.values, { [item.key]: { value: { a: 1 }, type: 'json', version: 1, reason: 'default' } });
});

handshake('answers 304 without a body to a caller that has the answer', async ({ world }) => {
  await buildFlag(world);
  const path = `${PATH}?distinct_id=u1`;
  const first = await world.live.get(path);
  const etag = first.headers.get('etag') ?? '';
  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const again = await world.live.get(path, { 'if-none-match': tag });
    assert.is(again.status, 304, tag);
    assert.is(again.text, '');
    assert.is(again.headers.get('etag'), etag);
    assert.is(again.headers.get('cache-control'), 'private, no-cache');
    assert.is(again.headers.get('content-type'), null);
  }
  assert.is((await world.live.get(path, { 'if-none-match': '"other"' })).status, 200);
});

handshake('shows a change at once, and only the affected tags change', async ({ world }) => {
  const flag = await buildFlag(world);
  const path = `${PATH}?distinct_id=u1`;
  const before = await world.live.get(path);
  await world.live.post('/api/switch/halt-webhook', { flag_key: flag.key, reason: 'x' });
  const after = await world.live.get(path, { 'if-none-match': before.headers.get('etag') ?? '' });
  assert.is(after.status, 200);
  assert.equal(decided(after).modules.switch.flags[flag.key], {
    value: false,
    variant: 'off',
    reason: 'halted',
    version: 2,
  });
  const changed = DECISION_MODULES.filter(
    (name) => decided(before).modules[name]?.etag !== decided(after).modules[name]?.etag,
  );
  assert.equal(changed, ['switch']);
  const item = await buildConfigItem(world, { value: '5' });
  const values = async () => decided(await world.live.get(path)).modules.config.values;
  assert.is((await values())[item.key]?.value, 5);
  await world.owner.client.graphql('mutation($i: UpdateConfigItemInput!) { updateConfigItem(input: $i) { id } }', {
    i: { id: item.id, value: '6' },
  });
  assert.equal((await values())[item.key], { value: 6, type: 'int', version: 2, reason: 'default' });
  await world.owner.client.graphql('mutation($i: IdInput!) { archiveConfigItem(input: $i) { id } }', {
    i: { id: item.id },
  });
  assert.equal(await values(), {});
});

handshake('decides for the person who asks', async ({ world }) => {
  const flag = await buildFlag(world, {
    kind: 'variant',
    variants: [
      { key: 'a', value: { n: 1 } },
      { key: 'b', value: 'text' },
      { key: 'c', value: 3 },
    ],
    defaultVariant: 'a',
    rules: [
      { conditions: [{ attribute: 'distinct_id', values: ['vip'] }], variant: 'b' },
      {
        conditions: [
          { attribute: 'app_version', values: ['>=2'] },
          { attribute: 'platform', values: ['ios'] },
        ],
        variant: 'c',
      },
    ],
  });
  const of = async (query: string) => {
    const { value, reason } = decided(await world.live.get(`${PATH}?${query}`)).modules.switch.flags[flag.key] ?? {};
    return `${JSON.stringify(value)} ${reason}`;
  };
  assert.is(await of(''), '{"n":1} default');
  assert.is(await of('distinct_id=vip'), '"text" rule');
  assert.is(await of('distinct_id=u&app_version=2.0.1&platform=iOS'), '3 rule');
  assert.is(await of('distinct_id=u&app_version=1.9&platform=ios'), '{"n":1} default');
  assert.is(await of('distinct_id=%00%ED%A0%80'), '{"n":1} default');
});

handshake('of the other environment knows nothing of this one', async ({ world }) => {
  await buildFlag(world, { key: 'only.live' });
  await buildFlag(world, { key: 'only.test', environment: 'test' });
  const keys = async (client: Client) => Object.keys(decided(await client.get(PATH)).modules.switch.flags);
  assert.equal(await keys(world.live), ['only.live']);
  assert.equal(await keys(world.test), ['only.test']);
});

handshake('is limited to installed modules', async ({ world }) => {
  const names = async (query: string) => Object.keys(decided(await world.live.get(PATH + query)).modules);
  assert.equal(await names('?installed=config,switch'), ['switch', 'config']);
  assert.equal(await names('?installed=switch&installed=catch'), ['switch', 'catch']);
  assert.equal(await names('?installed='), [...DECISION_MODULES]);
});

handshake('has an endpoint for each module, which serves its slice under its tag', async ({ world }) => {
  await buildFlag(world);
  const whole = decided(await world.live.get(`${PATH}?distinct_id=u`));
  for (const name of DECISION_MODULES) {
    const answer = await world.live.get(`/api/v1/${name}/decision?distinct_id=u`);
    assert.is(answer.status, 200, name);
    assert.equal(answer.body, whole.modules[name]);
    assert.is(answer.headers.get('etag'), whole.modules[name]?.etag);
    const again = await world.live.get(`/api/v1/${name}/decision?distinct_id=u`, {
      'if-none-match': whole.modules[name]?.etag ?? '',
    });
    assert.is(again.status, 304);
    assert.is((await world.live.get(`/api/${name}/decision`)).status, 200, 'also without a version');
  }
});

handshake('leaves out modules that the project has disabled', async ({ world }) => {
  await buildFlag(world);
  await world.owner.client.graphql('mutation($i: UpdateProjectInput!) { updateProject(input: $i) { id } }', {
    i: { id: world.projectId, disabledModules: ['switch', 'catch'] },
  });
  const { modules } = decided(await world.live.get(PATH));
  assert.equal([modules.switch.enabled, modules.switch.flags], [false, {}]);
  assert.equal([modules.catch?.enabled, modules.catch?.sample_rate], [false, 0]);
  assert.is(modules.config.enabled, true);
});

handshake('decides nothing for disabled modules, but what clients send is stored', async ({ world }) => {
  const disabledModules = ['analytics', 'catch', 'pulse'];
  await world.owner.client.graphql('mutation($i: UpdateProjectInput!) { updateProject(input: $i) { id } }', {
    i: { id: world.projectId, disabledModules },
  });
  assert.is(decided(await world.live.get(PATH)).modules.catch.sample_rate, 0);
  for (const [path, body] of [
    ['/api/v1/track', { event_name: 'sent', distinct_id: 'u' }],
    ['/api/v1/catch/events', { event_id: randomUUID(), platform: 'node', exception: { type: 'E', value: 'v' } }],
  ] as const)
    assert.is((await world.live.post(path, body)).status, 200, path);
  assert.is((await world.live.get('/api/pulse/surveys')).status, 200);
});

handshake('tells SDKs the share of crashes to send, by environment', async ({ test, world }) => {
  const { client } = world.owner;
  const change = (sampleRate: number) =>
    client.graphql('mutation($i: UpdateCrashSettingsInput!) { updateCrashSettings(input: $i) { sampleRate } }', {
      i: { projectId: world.projectId, sampleRate },
    });
  const rates = async () => {
    const live = decided(await world.live.get(PATH)).modules.catch;
    const { body } = await world.test.get('/api/v1/catch/decision');
    return [live.sample_rate, (body as { sample_rate: number }).sample_rate];
  };
  assert.equal(await rates(), [1, 1]);
  await change(0.25);
  await change(0.25);
  test.clock.advance(5_000);
  assert.equal(await rates(), [0.25, 1]);
  for (const bad of [-0.1, 1.1, 1e300]) assert.is((await refusalOf(change(bad))).code, 'BAD_SAMPLE_RATE');
  const { crashSettings } = await client.graphql<{ crashSettings: { sampleRate: number } }>(
    'query($p: ID!) { crashSettings(projectId: $p) { sampleRate } }',
    { p: world.projectId },
  );
  assert.is(crashSettings.sampleRate, 0.25);
  const { rows } = await test.app.pool.query(
    `select before, after from event_log where project_id = $1 and kind = 'catch.settings.changed'`,
    [world.projectId],
  );
  const ignoresSystemImages = false;
  assert.equal(rows, [
    { before: { sampleRate: 1, ignoresSystemImages }, after: { sampleRate: 0.25, ignoresSystemImages } },
  ]);
});

handshake('answers a repeated request like the first, headers and all', async ({ world }) => {
  await buildFlag(world);
  const shown = async (path: string, etag?: string) => {
    const answer = await world.live.get(path, {
      'x-request-id': 'given-by-the-test',
      ...(etag ? { 'if-none-match': etag } : {}),
    });
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date').sort());
    return { status: answer.status, text: answer.text, headers };
  };
  for (const path of [`${PATH}?distinct_id=u7`, '/api/v1/switch/decision', `${PATH}?installed=config`]) {
    const first = await shown(path);
    assert.equal(await shown(path), first, path);
    assert.is(first.headers['x-request-id'], 'given-by-the-test');
    const fresh = await shown(`${path}${path.includes('?') ? '&' : '?'}x=1`, first.headers.etag);
    assert.is(fresh.status, 304);
    assert.equal(await shown(path, first.headers.etag), fresh);
  }
});

handshake('of a project that restricts origins and addresses checks them on every request', async ({ world }) => {
  await world.live.get(PATH);
  await world.owner.client.graphql('mutation($i: UpdateProjectInput!) { updateProject(input: $i) { id } }', {
    i: {
      id: world.projectId,
      authorizedOrigins: ['https://app.example.com', 'https://*.example.org:443'],
      authorizedAddresses: ['10.0.0.0/8'],
    },
  });
  // Browsers omit the default port of a scheme.
  for (const [origin, status] of [
    ['https://app.example.org', 200],
    ['https://app.example.com:443', 200],
    ['https://app.example.org:80', 403],
    ['https://app.example.com:8443', 403],
  ] as const)
    assert.is((await world.live.get(PATH, { origin })).status, status, origin);
  for (let call = 0; call < 3; call += 1) {
    const allowed = await world.live.get(PATH, { origin: 'https://app.example.com' });
    assert.is(allowed.status, 200);
    assert.is((await world.live.get(PATH, { origin: 'https://evil.example' })).text, '{"error":"Unauthorized origin"}');
    assert.is((await world.live.get(PATH)).text, '{"error":"Unauthorized address"}');
  }
});

handshake(
  'of a project that restricts addresses takes them as IPv4, IPv6 and CIDR, and nothing else',
  async ({ world }) => {
    const restrict = (addresses: string[]) =>
      world.owner.client.graphql('mutation($i: UpdateProjectInput!) { updateProject(input: $i) { id } }', {
        i: { id: world.projectId, authorizedAddresses: addresses },
      });
    for (const unclear of [
      '127.1',
      '0177.0.0.1',
      '127.0.0',
      '127.0/8',
      '0x7f000001',
      '2130706433',
      '127.0.0.1/33',
      '127.0.0.1/',
    ])
      assert.is((await refusalOf(restrict([unclear]))).code, 'BAD_ADDRESS', unclear);
    for (const [listed, status] of [
      ['127.0.0.1', 200],
      ['127.9.9.9/8', 200],
      ['::ffff:127.0.0.1', 200],
      ['::ffff:127.0.0.0/104', 200],
      ['::ffff:10.0.0.0/104', 403],
      ['::1', 403],
      ['::/0', 403],
    ] as const) {
      await restrict([listed]);
      assert.is((await world.live.get(PATH)).status, status, listed);
    }
  },
);

handshake('is refused without a key, with a bad one, and without the scope', async ({ test, world }) => {
  const anonymous = new Client(test.baseUrl);
  const unscoped = anonymous.withKey(await buildKey(world.owner, world.projectId, 'live', ['ingest']));
  for (const path of [PATH, '/api/v1/switch/decision']) {
    const said = async (client: Client) => {
      const { status, text } = await client.get(path);
      return `${status} ${text}`;
    };
    assert.is(await said(anonymous), '401 {"error":"missing_api_key"}');
    assert.is(await said(anonymous.withKey('sk_live_x')), '401 {"error":"invalid_api_key"}');
    assert.is(await said(world.owner.client), '401 {"error":"missing_api_key"}');
    assert.is(await said(unscoped), '403 {"error":"insufficient_scope"}');
  }
});

handshake('and the decision endpoints share a limit of 500 requests per key and minute', async ({ test, world }) => {
  test.clock.set('2026-11-21T10:00:10Z');
  const paths = [PATH, '/api/v1/switch/decision', '/api/v1/config/decision'];
  const answers = await Promise.all(
    Array.from({ length: 510 }, (_, call) => world.live.get(`${paths[call % 3]}?distinct_id=u`)),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.is(refused.length, 10);
  assert.is(refused[0]?.text, '{"error":"Rate limit exceeded. Please wait a moment."}');
  for (const name of ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    assert.is(refused[0]?.headers.get(name), null);
  }
  assert.is((await world.test.get(PATH)).status, 200, 'another key has its own');
  test.clock.set('2026-11-21T10:01:00Z');
  assert.is((await world.live.get(PATH)).status, 200);
});

handshake('counts against the monthly quota of live decisions, exactly', async ({ test, world }) => {
  test.clock.set('2026-11-30T23:59:00Z');
  await setPlan(world, { decisions: 100 });
  const answers = await Promise.all(Array.from({ length: 150 }, () => world.live.get(`${PATH}?distinct_id=u`)));
  const refused = answers.filter(({ status }) => status === 429);
  assert.is(refused.length, 50);
  const { message, ...rest } = (refused[0] as RestAnswer).body as Record<string, unknown>;
  assert.type(message, 'string');
  assert.equal(rest, { error: 'quota_exceeded', current: 100, limit: 100, resets_at: '2026-12-01T00:00:00.000Z' });
  const byBody = await world.live.post(PATH, { distinct_id: 'u' });
  assert.equal([byBody.status, (byBody.body as { error: string }).error], [429, 'quota_exceeded']);
  assert.is((await world.test.get(PATH)).status, 200, 'the test environment is not metered');
  test.clock.set('2026-12-01T00:00:00Z');
  assert.is((await world.live.get(PATH)).status, 200, 'a new month');
});

handshake('a raised limit counts at once, even if the clock has been set back', async ({ test, world }) => {
  test.clock.set('2026-12-01T12:00:00Z');
  await setPlan(world, { decisions: 0 });
  assert.is((await world.live.get(PATH)).status, 429);
  test.clock.set('2026-12-01T09:00:00Z');
  await setPlan(world, { decisions: 100 });
  assert.is((await world.live.get(PATH)).status, 200);
});

handshake('counts with a delay far from the limit', async ({ test, world }) => {
  test.clock.set('2026-12-02T10:00:00Z');
  await setPlan(world, { decisions: 100_000 });
  for (let call = 0; call < 60; call += 1) await world.live.get(`${PATH}?distinct_id=u`);
  const used = async () => {
    const { usage } = await world.owner.client.graphql<{ usage: { meters: { meter: string; current: number }[] } }>(
      'query($id: ID!) { usage(projectId: $id) { meters { meter current } } }',
      { id: world.projectId },
    );
    return usage.meters.find(({ meter }) => meter === 'decisions')?.current;
  };
  await until('all sixty are counted', async () => (await used()) === 60);
});

handshake.run();
