import { Redis } from 'ioredis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NamedCounters } from '../../../src/storage/shared/counters.js';
import { machineHas } from '../../runner/machine.js';
import { RedisServer } from '../../storage/redis-server.js';
import { Client } from '../../support/client.js';
import { createTestDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';
import { newKey, type RunningServer, startRunningServer, track } from '../running-server.js';

const ADDRESS = '203.0.113.77';
const OWNER = 'owner@example.com';
const WRONG_KEY = 'sk_live_a_key_that_nobody_ever_made_0123';

const named = suite('names of counters');

named('become hashes that cannot be guessed without the secret, identical in every process that has it', async () => {
  const told: string[] = [];
  const behind = { increment: async (name: string) => told.push(name), read: async (name: string) => told.push(name) };
  await new NamedCounters(behind, 'one secret').increment(OWNER);
  await new NamedCounters(behind, 'one secret').read(OWNER);
  await new NamedCounters(behind, 'another secret').increment(OWNER);
  for (const name of told) assert.match(name, /^[\w-]{43}$/);
  assert.is(told[0], told[1]);
  assert.is.not(told[0], told[2]);
});

named.run();

const x = suite<{ server: RunningServer; redis: RedisServer; monitor: Redis; close: () => Promise<void> }>(
  'what Redis is told',
);

x.before(async (context) => {
  const redis = await RedisServer.start();
  const database = await createTestDatabase();
  context.redis = redis;
  const asking = new Redis(redis.url);
  context.monitor = await asking.monitor();
  asking.disconnect();
  context.server = await startRunningServer({
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    REDIS_PATIENCE_MS: '60000',
    TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  });
  context.close = async () => {
    context.monitor.disconnect();
    await context.server.process.stop();
    await redis.close();
    await database.drop();
  };
});
x.after(({ close }) => close());

x('contains no key, email or address in names, values or messages', async ({ server, redis, monitor }) => {
  const told: string[] = [];
  monitor.on('monitor', (_time: string, words: string[]) => told.push(words.join(' ')));
  const { id, secret } = await newKey(server);
  const anonymous = new Client(server.process.url);
  const forwarded = { 'x-forwarded-for': ADDRESS };
  await track(anonymous.withKey(secret), 1);
  await track(anonymous.withKey(WRONG_KEY), 2);
  await anonymous.post('/api/v1/track', { event_name: 'e', distinct_id: OWNER }, forwarded);
  await anonymous.get('/api/v1/handshake?distinct_id=u', { ...forwarded, 'x-api-key': secret });
  const signIn = 'mutation { signIn(input: { email: "owner@example.com", password: "a wrong password" }) { token } }';
  await anonymous.post('/graphql', { query: signIn }, forwarded);
  await server.owner.graphql(
    'mutation { addMember(input: { email: "new@example.com", role: viewer }) { temporaryPassword } }',
  );
  await server.owner.graphql('mutation($input: IdInput!) { revokeApiKey(input: $input) { id } }', {
    input: { id },
  });
  await until('the message', () => told.some((words) => /^publish .* access$/is.test(words)));

  const client = new Redis(redis.url);
  const names = await client.keys('*');
  client.disconnect();
  assert.ok(names.length >= 5, `only ${names.length} counters`);
  for (const name of names) assert.match(name, /^quarterdeck:count:\{[\w-]{43}\}:\d+$/);
  const all = told.join('\n');
  assert.ok(all.length > 1_000);
  for (const secretText of [
    secret,
    secret.slice(8),
    server.liveKey,
    WRONG_KEY,
    OWNER,
    'example.com',
    ADDRESS,
    '127.0.0.1',
  ])
    assert.not(all.includes(secretText), `${secretText} in:\n${all}`);
});

if (machineHas('redis-server')) x.run();
