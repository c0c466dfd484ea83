import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { ErrorCode, OpenFeature } from '@openfeature/server-sdk';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

const ofrep = suite<{ test: TestApp; world: World }>('OpenFeature remote evaluation');

ofrep.before(async (context) => {
  context.test = await openTestApp();
  context.world = await buildWorld(context.test);
  await buildFlags(context.world);
  const provider = new OFREPProvider({
    baseUrl: context.test.baseUrl,
    headers: [['x-api-key', context.world.keys.live]],
  });
  await OpenFeature.setProviderAndWait(provider);
});
ofrep.after(async ({ test }) => {
  await OpenFeature.close();
  await test.close();
});

const PATH = '/ofrep/v1/evaluate/flags';

async function buildFlags(world: World): Promise<void> {
  await buildFlag(world, {
    key: 'bool',
    rules: [{ conditions: [{ attribute: 'props.plan', values: ['pro'] }], variant: 'on' }],
  });
  await buildFlag(world, { key: 'half', rules: [{ percentage: 50, variant: 'on' }] });
  const variants = [
    { key: 'text', value: 'blue' },
    { key: 'number', value: 2.5 },
    { key: 'object', value: { size: [1, 2] } },
  ];
  for (const defaultVariant of ['text', 'number', 'object']) {
    await buildFlag(world, { key: defaultVariant, kind: 'variant', variants, defaultVariant });
  }
}

ofrep("lets OpenFeature's server SDK evaluate booleans, strings, numbers and objects", async () => {
  const client = OpenFeature.getClient();
  const pro = await client.getBooleanDetails('bool', false, { targetingKey: 'u', plan: 'pro' });
  assert.equal([pro.value, pro.variant, pro.reason], [true, 'on', 'TARGETING_MATCH']);
  assert.equal(pro.flagMetadata, { version: 1 });
  assert.is(await client.getBooleanValue('bool', true, { targetingKey: 'u', plan: 'free' }), false);
  assert.is(await client.getStringValue('text', ''), 'blue');
  assert.is(await client.getNumberValue('number', 0), 2.5);
  assert.equal(await client.getObjectValue('object', {}), { size: [1, 2] });
  const split = await client.getBooleanDetails('half', false, { targetingKey: 'user-1' });
  assert.ok(split.reason === 'SPLIT' || split.reason === 'DEFAULT');
});

ofrep('lets the server SDK target by anything in its context, even through prerequisites', async ({ world }) => {
  const condition = (attribute: string, operator: string, ...values: unknown[]) => ({ attribute, operator, values });
  const conditions = [
    condition('os_version', 'semver', '>=17'),
    condition('context.device.memory', 'gte', 8),
    condition('props.tags', 'in', 'beta'),
    condition('context.joined', 'before', '2026-01-01'),
    condition('locale', 'starts_with', 'de'),
    condition('props.company', 'exists'),
  ];
  await buildFlag(world, {
    key: 'rich',
    rules: [{ conditions, variant: 'on', percentage: 100, bucketBy: 'props.company' }],
  });
  await buildFlag(world, { key: 'after-rich', prerequisites: [{ key: 'rich', variants: ['on'] }] });
  const client = OpenFeature.getClient();
  const context = {
    targetingKey: 'u',
    os_version: '17.2',
    locale: 'de_AT',
    device: { memory: 16, cores: [4, 4] },
    tags: ['a', 'beta'],
    joined: new Date('2025-06-01T00:00:00Z'),
    company: 42,
  };
  const of = async (change: object) => {
    const asked = { ...context, ...change };
    const [rich, after] = [
      await client.getBooleanDetails('rich', false, asked),
      await client.getBooleanDetails('after-rich', false, asked),
    ];
    return [rich.value, rich.reason, after.value, after.reason];
  };
  assert.equal(await of({}), [true, 'TARGETING_MATCH', true, 'TARGETING_MATCH']);
  const others = [
    { os_version: '16' },
    { device: { memory: '16' } },
    { tags: [] },
    { joined: new Date() },
    { locale: 'en' },
  ];
  for (const change of others) {
    assert.equal(await of(change), [false, 'DEFAULT', false, 'DEFAULT'], JSON.stringify(change));
  }
});

ofrep("reports errors to the server SDK by OpenFeature's codes", async () => {
  const client = OpenFeature.getClient();
  const codeOf = async (key: string, context = {}) => (await client.getBooleanDetails(key, true, context)).errorCode;
  assert.is(await codeOf('nothing'), ErrorCode.FLAG_NOT_FOUND);
  assert.is(await codeOf('half'), ErrorCode.TARGETING_KEY_MISSING);
  assert.is(await codeOf('text'), ErrorCode.TYPE_MISMATCH);
});

ofrep('requires a targeting key only if the answer depends on it', async ({ world }) => {
  const on = { variants: ['on'] };
  const half = { key: 'half', ...on };
  const unmet = { key: 'off', ...on };
  const rules = [{ percentage: 50, variant: 'on' }];
  await buildFlag(world, { key: 'off', rules: [] });
  await buildFlag(world, { key: 'mid', rules, prerequisites: [unmet] });
  const asking = {
    leaf: [{ key: 'mid', ...on }],
    'unmet first': [unmet, half],
    'unmet last': [half, unmet],
    either: [{ key: 'half', variants: ['on', 'off'] }],
    depends: [half],
  };
  const answers: Record<string, unknown> = {};
  for (const [name, prerequisites] of Object.entries(asking)) {
    const { key } = await buildFlag(world, { key: name.replace(' ', '-'), prerequisites });
    const { value, errorCode } = await OpenFeature.getClient().getBooleanDetails(key, true);
    answers[name] = errorCode ?? value;
  }
  const missing = { either: true, depends: ErrorCode.TARGETING_KEY_MISSING };
  assert.equal(answers, { leaf: false, 'unmet first': false, 'unmet last': false, ...missing });
});

ofrep('serves a halted flag as disabled, with its default', async ({ world }) => {
  const flag = await buildFlag(world, { key: 'to.halt' });
  const client = OpenFeature.getClient();
  assert.is(await client.getBooleanValue(flag.key, false), true);
  await world.live.post('/api/switch/halt-webhook', { flag_key: flag.key, reason: 'x' });
  const { value, reason } = await client.getBooleanDetails(flag.key, true);
  assert.equal([value, reason], [false, 'DISABLED']);
});

ofrep('evaluates all flags at once, under a tag that covers the evaluation', async ({ world }) => {
  const bulk = (context: object, headers = {}) => world.live.post(PATH, { context }, headers);
  const first = await bulk({ targetingKey: 'u1', plan: 'pro' });
  assert.is(first.status, 200);
  const { flags } = first.body as { flags: Record<string, unknown>[] };
  assert.equal(
    flags.find(({ key }) => key === 'bool'),
    { key: 'bool', reason: 'TARGETING_MATCH', variant: 'on', value: true, metadata: { version: 1 } },
  );
  const etag = first.headers.get('etag') ?? '';
  const again = await bulk({ targetingKey: 'u1', plan: 'pro' }, { 'if-none-match': etag });
  assert.equal([again.status, again.text], [304, '']);
  const other = await bulk({ targetingKey: 'u1', plan: 'free' }, { 'if-none-match': etag });
  assert.is(other.status, 200);
  const nobody = await bulk({});
  const half = (nobody.body as { flags: Record<string, unknown>[] }).flags.find(({ key }) => key === 'half');
  assert.is(half?.errorCode, 'TARGETING_KEY_MISSING');
});

ofrep('evaluates flags whose keys clients take for path segments', async ({ world, test }) => {
  const { hostname, port } = new URL(test.baseUrl);
  const headers = { 'x-api-key': world.keys.live, 'content-type': 'application/json' };
  for (const key of ['.', '..']) {
    await buildFlag(world, { key });
    const { body } = await world.live.post(PATH, { context: {} });
    const { flags } = body as { flags: { key: string; value: unknown }[] };
    assert.is(flags.find((flag) => flag.key === key)?.value, true);
    const asked = request({ hostname, port, path: `${PATH}/${key}`, method: 'POST', headers }).end('{"context":{}}');
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    assert.equal([answer.statusCode, JSON.parse((await answer.toArray()).join('')).key], [200, key]);
  }
});

ofrep('is refused with the protocol’s errors', async ({ world }) => {
  const of = async (path: string, body: unknown) => {
    const { status, body: answer } = await world.live.post(path, body);
    const { key, errorCode, errorDetails } = answer as Record<string, string>;
    assert.type(errorDetails, 'string');
    return `${status} ${key} ${errorCode}`;
  };
  assert.is(await of(`${PATH}/nothing`, { context: {} }), '404 nothing FLAG_NOT_FOUND');
  assert.is(await of(`${PATH}/half`, {}), '400 half TARGETING_KEY_MISSING');
  assert.is(await of(`${PATH}/half`, '{'), '400 half PARSE_ERROR');
  assert.is(await of(`${PATH}/half`, { context: 7 }), '400 half INVALID_CONTEXT');
  assert.is(await of(`${PATH}/half`, { context: { targetingKey: 7 } }), '400 half INVALID_CONTEXT');
  assert.is(await of(PATH, '[]'), '400 undefined PARSE_ERROR');
  assert.is(await of(`${PATH}/__proto__`, {}), '404 __proto__ FLAG_NOT_FOUND');
  assert.is((await world.owner.client.post(PATH, {})).status, 401);
});

ofrep('is refused while the module is switched off', async ({ test }) => {
  const world = await buildWorld(test);
  await world.owner.client.graphql('mutation($i: UpdateProjectInput!) { updateProject(input: $i) { id } }', {
    i: { id: world.projectId, disabledModules: ['switch'] },
  });
  const { status, body } = await world.live.post(PATH, {});
  assert.equal([status, (body as { error: string }).error], [403, 'Switch disabled: module_disabled']);
});

ofrep.run();
