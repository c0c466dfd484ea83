import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ErrorCode, type EvaluationContext, type Hook, OpenFeature, ProviderEvents } from '@openfeature/server-sdk';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createQuarterdeck } from '../../src/sdk/node/quarterdeck.js';
import { QuarterdeckProvider } from '../../src/sdk/openfeature/server-provider.js';
import { buildKey, buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const x = suite<{ test: TestApp; world: World; key: string }>('OpenFeature provider for servers');

const DOMAIN = 'quarterdeck-server-provider';
const alone = { captureErrors: false, flushOnExit: false, warn: () => undefined };

x.before(async (context) => {
  context.test = await openTestApp();
  context.world = await buildWorld(context.test);
  const { owner, projectId } = context.world;
  context.key = await buildKey(owner, projectId, 'live', ['definitions', 'decide', 'ingest']);
  const variants = [
    { key: 'text', value: 'blue' },
    { key: 'number', value: 2.5 },
    { key: 'object', value: { size: [1, 2] } },
  ];
  for (const defaultVariant of ['text', 'number', 'object'])
    await buildFlag(context.world, { key: defaultVariant, kind: 'variant', variants, defaultVariant });
  const pro = [{ attribute: 'props.plan', operator: 'in', values: ['pro'] }];
  await buildFlag(context.world, { key: 'bool', rules: [{ conditions: pro, variant: 'on' }] });
  await buildFlag(context.world, { key: 'half', rules: [{ percentage: 50, variant: 'on' }] });
  const condition = (attribute: string, operator: string, ...values: unknown[]) => ({ attribute, operator, values });
  const conditions = [
    condition('os_version', 'semver', '>=17'),
    condition('locale', 'starts_with', 'de'),
    condition('context.device.memory', 'gte', 8),
    condition('props.tags', 'in', 'beta', 7),
    condition('context.joined', 'before', '2026-01-01'),
    condition('props.score', 'exists'),
  ];
  await buildFlag(context.world, {
    key: 'rich',
    rules: [{ conditions, variant: 'on', bucketBy: 'props.company', percentage: 100 }],
  });
  const library = createQuarterdeck({ url: context.test.baseUrl, key: context.key, ...alone });
  await OpenFeature.setProviderAndWait(DOMAIN, new QuarterdeckProvider(library));
});
x.after(async ({ test }) => {
  await OpenFeature.close();
  await test.close();
});

const client = () => OpenFeature.getClient(DOMAIN);

x('resolves booleans, strings, numbers and objects with variant, reason and version', async () => {
  const pro = await client().getBooleanDetails('bool', false, { targetingKey: 'u', plan: 'pro' });
  assert.equal([pro.value, pro.variant, pro.reason, pro.flagMetadata], [true, 'on', 'TARGETING_MATCH', { version: 1 }]);
  assert.is(await client().getBooleanValue('bool', true, { targetingKey: 'u', plan: 'free' }), false);
  const text = await client().getStringDetails('text', '');
  assert.equal([text.value, text.reason], ['blue', 'STATIC']);
  assert.is(await client().getNumberValue('number', 0), 2.5);
  assert.equal(await client().getObjectValue('object', {}), { size: [1, 2] });
});

x("answers like the server's remote evaluation", async ({ world }) => {
  for (let at = 0; at < 20; at += 1) {
    const context = { targetingKey: `user-${at}`, plan: at % 2 ? 'pro' : 'free' };
    const { body } = await world.live.post('/ofrep/v1/evaluate/flags', { context });
    for (const { key, variant, reason } of (body as { flags: Record<'key' | 'variant' | 'reason', string>[] }).flags) {
      if (key !== 'bool' && key !== 'half') continue;
      const here = await client().getBooleanDetails(key, false, context);
      assert.equal([here.variant, here.reason], [variant, reason], `${key} for ${context.targetingKey}`);
    }
  }
});

x('reads nested members, instants, lists and odd numbers like the server', async ({ world }) => {
  const rich = {
    targetingKey: 'u',
    os_version: '17.2',
    locale: 'de_AT',
    device: { memory: 16, cores: [4, 4] },
    tags: ['a', 'beta'],
    joined: new Date('2025-06-01T00:00:00Z'),
    company: 42,
    score: 0,
  };
  const changes: [object, boolean][] = [
    [{}, true],
    [{ tags: [7, null] }, true],
    [{ joined: '2025-06-01T01:00:00+02:00' }, true],
    [{ os_version: '16' }, false],
    [{ device: { memory: '16' } }, false],
    [{ device: [{ memory: 16 }] }, false],
    [{ tags: ['7'] }, false],
    [{ tags: [] }, false],
    [{ joined: new Date('2026-06-01T00:00:00Z') }, false],
    [{ joined: new Date(Number.NaN) }, false],
    [{ joined: 1_700_000_000_000 }, false],
    [{ score: Number.NaN }, false],
    [{ score: Number.POSITIVE_INFINITY }, false],
  ];
  for (const [change, isOn] of changes) {
    const context = { ...rich, ...change };
    const { body } = await world.live.post('/ofrep/v1/evaluate/flags/rich', { context });
    const here = await client().getBooleanValue('rich', false, context);
    assert.equal([here, (body as { value: boolean }).value], [isOn, isOn], JSON.stringify(change));
  }
});

x("reports errors by OpenFeature's codes, and serves the default", async ({ key }) => {
  const codes = async (name: string, context = {}) => {
    const { value, errorCode, reason } = await client().getBooleanDetails(name, true, context);
    return [value, errorCode, reason];
  };
  assert.equal(await codes('nothing'), [true, ErrorCode.FLAG_NOT_FOUND, 'ERROR']);
  assert.equal(await codes('text'), [true, ErrorCode.TYPE_MISMATCH, 'ERROR']);
  assert.equal(await codes('half'), [true, ErrorCode.TARGETING_KEY_MISSING, 'ERROR']);
  const away = createQuarterdeck({ url: 'http://127.0.0.1:9', key, ...alone });
  const failed = await OpenFeature.setProviderAndWait('away', new QuarterdeckProvider(away)).catch((error) => error);
  assert.is(failed.code, ErrorCode.PROVIDER_NOT_READY);
  assert.is((await OpenFeature.getClient('away').getBooleanDetails('bool', true)).value, true);
});

x('reads every member of a context as the server does for a remote evaluation', async ({ world }) => {
  const values = [undefined, null, '', 'u', 7, true, new Date('2026-01-02'), ['a', 1], { y: 'z' }];
  const names = [
    'targetingKey',
    'platform',
    'app_version',
    'appVersion',
    'os_version',
    'osVersion',
    'locale',
    'cohorts',
  ];
  const attributes = ['distinct_id', 'platform', 'app_version', 'os_version', 'locale'];
  const read = [...attributes, ...names.slice(1).map((name) => `context.${name}`)];
  const conditionOf = (attribute: string) => ({ attribute, operator: 'exists', values: [] });
  for (const [at, attribute] of read.entries())
    await buildFlag(world, { key: `has-${at}`, rules: [{ conditions: [conditionOf(attribute)], variant: 'on' }] });
  const last = `has-${read.length - 1}`;
  await until('the last flag', async () => (await client().getBooleanDetails(last, true)).variant !== undefined);
  for (const name of names)
    for (const value of values) {
      const context = { targetingKey: 'someone', [name]: value } as EvaluationContext;
      const { body } = await world.live.post('/ofrep/v1/evaluate/flags', { context });
      const { flags = [], errorCode } = body as { flags?: { key: string; value: boolean }[]; errorCode?: string };
      const remote = new Map(flags.map((flag) => [flag.key, flag.value]));
      for (const [at, attribute] of read.entries()) {
        const here = await client().getBooleanDetails(`has-${at}`, false, context);
        const there = [remote.get(`has-${at}`) ?? false, errorCode];
        assert.equal([here.value, here.errorCode], there, `${attribute} of ${name} ${JSON.stringify(value)}`);
      }
    }
});

x('runs hooks, reports changes, and sends tracked events', async ({ test, world }) => {
  const heard: string[] = [];
  const hook: Hook = { after: (_, { variant }) => void heard.push(String(variant)) };
  await client().getBooleanValue('bool', false, { targetingKey: 'u', plan: 'pro' }, { hooks: [hook] });
  assert.equal(heard, ['on']);
  let changed = 0;
  client().addHandler(ProviderEvents.ConfigurationChanged, () => {
    changed += 1;
  });
  await world.live.post('/api/switch/halt-webhook', { flag_key: 'bool', reason: 'errors' });
  await until('the halt', async () => {
    const { reason } = await client().getBooleanDetails('bool', true, { targetingKey: 'u', plan: 'pro' });
    return reason === 'DISABLED';
  });
  assert.ok(changed > 0);
  client().track('bought', { targetingKey: 'buyer' }, { value: 42.5, at: new Date('2026-01-01T00:00:00Z') });
  client().track('bought', {}, { value: 1 });
  await OpenFeature.clearProviders();
  const { rows } = await test.app.pool.query<{ id: string; properties: object }>(
    'select distinct_id as id, properties from event where project_id = $1',
    [world.projectId],
  );
  assert.equal(rows, [{ id: 'buyer', properties: { value: 42.5, at: '2026-01-01T00:00:00.000Z' } }]);
});

x('goes on with the same library in another provider, until the last one is closed', async ({ test, world, key }) => {
  const library = createQuarterdeck({ url: test.baseUrl, key, ...alone });
  for (const _ of ['first', 'second']) await OpenFeature.setProviderAndWait(new QuarterdeckProvider(library));
  await world.live.post('/api/switch/halt-webhook', { flag_key: 'bool', reason: 'errors' });
  await until('the halt', async () => (await client().getBooleanDetails('bool', true)).reason === 'DISABLED');
  await OpenFeature.clearProviders();
  const refused = await OpenFeature.setProviderAndWait(new QuarterdeckProvider(library)).catch(({ code }) => code);
  assert.is(refused, 'PROVIDER_FATAL');
  assert.is((await client().getBooleanDetails('bool', true)).errorCode, 'PROVIDER_FATAL');
});

x('is ready from a file while the server does not answer', async ({ test, key }) => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-provider-'));
  const file = join(folder, 'definitions.json');
  const first = createQuarterdeck({ url: test.baseUrl, key, file, ...alone });
  await first.ready;
  await first.close();
  const silent = createServer();
  const url = await openLocally(silent);
  const library = createQuarterdeck({ url, key, file, ...alone });
  const provider = new QuarterdeckProvider(library);
  const before = library.ready.then(() => 'the server');
  assert.is(await Promise.race([provider.initialize().then(() => 'the file'), before]), 'the file');
  assert.is((await provider.resolveStringEvaluation('text', '', {})).value, 'blue');
  await provider.onClose();
  silent.close();
  await rm(folder, { recursive: true });
});

x.run();
