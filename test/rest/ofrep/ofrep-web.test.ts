import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature } from '@openfeature/web-sdk';
import { EventSource } from 'undici';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const web = suite<{ test: TestApp; world: World }>("OpenFeature's web SDK");

const POLL_MS = 200;
const silent = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

web.before(async (context) => {
  context.test = await openTestApp();
  context.world = await buildWorld(context.test);
});
web.after(async ({ test }) => {
  await OpenFeature.close();
  await test.close();
});

web(
  'evaluates booleans, strings, numbers and objects, follows its context and sees a halt',
  async ({ test, world }) => {
    await buildFlag(world, {
      key: 'bool',
      rules: [{ conditions: [{ attribute: 'props.plan', values: ['pro'] }], variant: 'on' }],
    });
    const conditions = [
      { attribute: 'context.device.memory', operator: 'gte', values: [8] },
      { attribute: 'props.tags', operator: 'in', values: ['beta'] },
      { attribute: 'context.joined', operator: 'before', values: ['2026-01-01'] },
    ];
    await buildFlag(world, { key: 'rich', rules: [{ conditions, variant: 'on' }] });
    const variants = [
      { key: 'text', value: 'blue' },
      { key: 'number', value: 2.5 },
      { key: 'object', value: { size: [1, 2] } },
    ];
    for (const { key } of variants) await buildFlag(world, { key, kind: 'variant', variants, defaultVariant: key });
    const headers: [string, string][] = [['x-api-key', world.keys.live]];
    const options = { baseUrl: test.baseUrl, pollInterval: POLL_MS, cacheMode: 'disabled' as const, headers };
    const joined = new Date('2025-06-01T00:00:00Z');
    const rich = { device: { memory: 16 }, tags: ['a', 'beta'], joined };
    await OpenFeature.setContext({ targetingKey: 'u1', plan: 'pro', ...rich });
    await OpenFeature.setProviderAndWait(new OFREPWebProvider(options, silent));
    const client = OpenFeature.getClient();
    assert.is(client.getBooleanValue('bool', false), true);
    assert.is(client.getBooleanValue('rich', false), true);
    assert.is(client.getStringValue('text', ''), 'blue');
    assert.is(client.getNumberValue('number', 0), 2.5);
    assert.equal(client.getObjectValue('object', {}), { size: [1, 2] });
    await world.live.post('/api/switch/halt-webhook', { flag_key: 'bool', reason: 'x' });
    await until('the halt', () => !client.getBooleanValue('bool', true));
    assert.is(client.getBooleanDetails('bool', true).reason, 'DISABLED');
    await world.owner.client.graphql('mutation($i: ResumeFlagInput!) { resumeFlag(input: $i) { id } }', {
      i: { flagId: await idOf(world, 'bool') },
    });
    await OpenFeature.setContext({ targetingKey: 'u1', plan: 'free', ...rich, tags: ['a'] });
    assert.is(client.getBooleanValue('rich', true), false);
    const { value, reason } = client.getBooleanDetails('bool', true);
    assert.equal([value, reason], [false, 'DEFAULT']);
  },
);

web('sees a halt and its end at once by the stream alone, without polling and unmodified', async ({ test, world }) => {
  const { id, key } = await buildFlag(world, { key: 'streamed' });
  const global = globalThis as { EventSource?: unknown };
  const before = global.EventSource;
  global.EventSource = EventSource;
  try {
    const headers: [string, string][] = [['x-api-key', world.keys.live]];
    const options = { baseUrl: test.baseUrl, pollInterval: 0, cacheMode: 'disabled' as const, headers };
    await OpenFeature.setContext({ targetingKey: 'u2' });
    await OpenFeature.setProviderAndWait(new OFREPWebProvider(options, silent));
    const client = OpenFeature.getClient();
    assert.is(client.getBooleanValue(key, false), true);
    const opened = () => test.app.parts.metrics.text().then((text) => /streams_open\{kind="ofrep"\} 1/.test(text));
    await until('the stream', opened);
    await world.live.post('/api/switch/halt-webhook', { flag_key: key, reason: 'x' });
    await until('the halt', () => client.getBooleanDetails(key, true).reason === 'DISABLED');
    const mutation = 'mutation($i: ResumeFlagInput!) { resumeFlag(input: $i) { id } }';
    await world.owner.client.graphql(mutation, { i: { flagId: id } });
    await until('the resumption', () => client.getBooleanValue(key, false));
    await OpenFeature.clearProviders();
    await until('the end of the stream', async () => !(await opened()));
  } finally {
    global.EventSource = before;
  }
});

async function idOf(world: World, key: string): Promise<string> {
  const { flags } = await world.owner.client.graphql<{ flags: { nodes: { id: string }[] } }>(
    'query($p: ID!, $k: String!) { flags(projectId: $p, keyPrefix: $k) { nodes { id } } }',
    { p: world.projectId, k: key },
  );
  return flags.nodes[0]?.id ?? '';
}

web.run();
