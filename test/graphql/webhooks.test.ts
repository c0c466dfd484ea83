import * as assert from 'uvu/assert';
import { EVENT_KINDS } from '../../src/events/catalog.js';
import { refusalOf } from '../support/client.js';
import { buildWorld } from '../support/factories/factories.js';
import { buildSubscription } from '../support/factories/webhook-factory.js';
import { worldSuite } from '../support/factories/world-suite.js';

const webhooks = worldSuite('webhooks over GraphQL', { settings: { WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16' } });

const CREATE = `mutation($input: CreateWebhookSubscriptionInput!) {
  createWebhookSubscription(input: $input) { secret subscription { id url patterns enabled } } }`;
const UPDATE = `mutation($input: UpdateWebhookSubscriptionInput!) {
  updateWebhookSubscription(input: $input) { id url patterns description enabled disabledReason } }`;
const BY_ID: Record<string, string> = {
  rotateWebhookSecret: '{ secret }',
  deleteWebhookSubscription: '{ id }',
  testWebhookSubscription: '{ eventId }',
  replayDeadLetter: '{ id }',
};
const byId = (name: string): string => `mutation($id: ID!) { ${name}(input: {id: $id}) ${BY_ID[name]} }`;

webhooks('the secret is shown once, on creation, and never again', async ({ test, world }) => {
  const { id, secret } = await buildSubscription(world, 'https://example.com/hook?token=t0psecret', ['*']);
  assert.match(secret, /^whsec_/);
  const { rotateWebhookSecret } = await world.owner.client.graphql<{ rotateWebhookSecret: { secret: string } }>(
    byId('rotateWebhookSecret'),
    { id },
  );
  assert.is.not(rotateWebhookSecret.secret, secret);
  const answer = await world.owner.client.post('/graphql', {
    query: `query($id: ID!) { webhookSubscriptions(projectId: $id) { nodes { id url patterns previousSecretUntil } } auditLog(first: 100) { nodes { kind data before after } } }`,
    variables: { id: world.projectId },
  });
  const { rows } = await test.app.pool.query<{ text: string }>(
    `select string_agg(e::text, '') || (select string_agg(s::text, '') from webhook_subscription s) as text from event_log e`,
  );
  for (const shown of [secret, rotateWebhookSecret.secret]) {
    assert.not.ok(answer.text.includes(shown.slice(6)));
    assert.not.ok(rows[0]?.text.includes(shown.slice(6)));
  }
  const events = await test.app.pool.query<{ text: string }>(`select string_agg(e::text, '') as text from event_log e`);
  assert.not.match(events.rows[0]?.text ?? '', 't0psecret');
});

webhooks('targets and patterns are validated on save', async ({ world }) => {
  const create = (url: string, patterns: string[]): Promise<unknown> =>
    world.owner.client.graphql(CREATE, { input: { projectId: world.projectId, url, patterns } });
  const reasons: [string, string][] = [
    ['ftp://example.com/', 'url_scheme'],
    ['http://user:pass@example.com/', 'url_credentials'],
    ['http://example.com:25/', 'url_port'],
    ['http://0x7f.1/', 'address_loopback'],
    ['http://[::ffff:10.20.0.1]/', 'address_ipv4_mapped'],
    ['http://169.254.169.254/latest', 'address_metadata'],
    ['http://10.21.0.1/', 'address_private'],
    [`http://example.com/${'a'.repeat(100_000)}`, 'url_too_long'],
  ];
  for (const [url, reason] of reasons) {
    const refusal = await refusalOf(create(url, ['*']));
    assert.is(refusal.code, 'BAD_TARGET', url);
    assert.is(refusal.errors[0]?.extensions.details?.reason, reason, url);
  }
  await create('http://10.20.0.1:8080/', ['config.*', 'switch.flag.halted']);
  assert.is((await refusalOf(create('https://example.com/', []))).code, 'NO_PATTERNS');
  const refusal = await refusalOf(create('https://example.com/', ['config.*', 'config.itm.*', '**', '\u0000']));
  const { code, details, fields } = (refusal.errors[0]?.extensions ?? {}) as Record<string, unknown>;
  assert.equal([code, details], ['UNKNOWN_PATTERNS', { patterns: ['config.itm.*', '**', '\ufffd'] }]);
  assert.equal(
    (fields as { path: string }[]).map(({ path }) => path),
    ['patterns'],
  );
});

webhooks('an update changes only the given fields and is recorded', async ({ world }) => {
  const { id } = await buildSubscription(world, 'https://example.com/', ['*']);
  const update = (change: object): Promise<{ updateWebhookSubscription: object }> =>
    world.owner.client.graphql(UPDATE, { input: { id, ...change } });
  const { updateWebhookSubscription } = await update({
    url: 'https://example.org/x',
    patterns: ['config.*', 'config.*'],
  });
  assert.equal(updateWebhookSubscription, {
    id,
    url: 'https://example.org/x',
    patterns: ['config.*'],
    description: '',
    enabled: true,
    disabledReason: null,
  });
  assert.is((await refusalOf(update({ url: 'http://127.0.0.1/' }))).code, 'BAD_TARGET');
  const off = await update({ enabled: false });
  assert.equal(off.updateWebhookSubscription, {
    ...updateWebhookSubscription,
    enabled: false,
    disabledReason: 'by_admin',
  });
  assert.is(
    (await refusalOf(world.owner.client.graphql(byId('testWebhookSubscription'), { id }))).code,
    'SUBSCRIPTION_OFF',
  );
  const { auditLog } = await world.owner.client.graphql<{
    auditLog: { nodes: { kind: string; before: unknown; after: unknown }[] };
  }>('query($id: String) { auditLog(objectId: $id) { nodes { kind before after } } }', { id });
  assert.equal(
    auditLog.nodes.map(({ kind }) => kind),
    ['webhooks.subscription.changed', 'webhooks.subscription.changed', 'webhooks.subscription.created'],
  );
});

webhooks('an id of nothing is refused, whatever its form', async ({ world }) => {
  const { client } = world.owner;
  for (const name of ['rotateWebhookSecret', 'deleteWebhookSubscription', 'testWebhookSubscription'])
    for (const id of ['whk_1', '\u0000', 'a'.repeat(10_000)])
      assert.is((await refusalOf(client.graphql(byId(name), { id }))).code, 'SUBSCRIPTION_NOT_FOUND', name);
  const id = '0192d3a0-0000-7000-8000-000000000000';
  assert.is((await refusalOf(client.graphql(byId('replayDeadLetter'), { id }))).code, 'DEAD_LETTER_NOT_FOUND');
});

webhooks('a change based on an outdated state is refused', async ({ world }) => {
  const { id } = await buildSubscription(world, 'https://example.com/hook', ['*']);
  const read = async () =>
    (
      await world.owner.client.graphql<{ webhookSubscription: { updatedAt: string } }>(
        `{ webhookSubscription(id: "${id}") { updatedAt } }`,
      )
    ).webhookSubscription.updatedAt;
  const expectedUpdatedAt = await read();
  await world.owner.client.graphql(UPDATE, { input: { id, description: 'theirs', expectedUpdatedAt } });
  const mine = world.owner.client.graphql(UPDATE, { input: { id, description: 'mine', expectedUpdatedAt } });
  assert.is((await refusalOf(mine)).code, 'SUBSCRIPTION_VERSION_CONFLICT');
  await world.owner.client.graphql(UPDATE, { input: { id, description: 'mine', expectedUpdatedAt: await read() } });
});

webhooks('every kind in the catalog can be read with the JSON Schema of its body', async ({ world }) => {
  const { eventKinds } = await world.owner.client.graphql<{
    eventKinds: { kind: string; description: string; schema: { properties: { data: { properties: object } } } }[];
  }>('{ eventKinds { kind description schema } }');
  assert.equal(eventKinds.map(({ kind }) => kind).sort(), Object.keys(EVENT_KINDS).sort());
  const halted = eventKinds.find(({ kind }) => kind === 'switch.flag.halted');
  assert.equal(Object.keys(halted?.schema.properties.data.properties ?? {}).sort(), [
    'evidence_url',
    'flag_id',
    'key',
    'key_id',
    'reason',
    'version',
  ]);
  assert.is((await refusalOf(world.live.graphql('{ eventKinds { kind } }'))).code, 'UNAUTHENTICATED');
});

webhooks('a project has at most a hundred subscriptions, even if two are created at once', async ({ test }) => {
  const world = await buildWorld(test);
  for (let made = 0; made < 99; made++) await buildSubscription(world, 'https://example.com/', ['*']);
  const both = await Promise.allSettled([1, 2].map(() => buildSubscription(world, 'https://example.com/', ['*'])));
  assert.equal(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

webhooks.run();
