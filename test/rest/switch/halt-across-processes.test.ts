import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServerProcess } from '../../harness/server-process.js';
import { machineHas } from '../../runner/machine.js';
import { RedisServer } from '../../storage/redis-server.js';
import { Client } from '../../support/client.js';
import { HeldClockServer } from '../../support/clocks/held-clock-server.js';
import { createTestDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';

const x = suite('a halt in another process');

interface Flags {
  modules: { switch: { flags: Record<string, { value: unknown; reason: string; version: number }> } };
}

/** The other process's clock stands still, so nothing that it knows grows old: it must be told of the halt. */
async function seesHalt(redisUrl: string | null): Promise<void> {
  const database = await createTestDatabase();
  const env = {
    DATABASE_URL: database.url,
    ROLE: 'api',
    NODE_ENV: 'test',
    JWT_SECRET: 'one secret for all processes of this test',
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
  };
  const servers: { stop(): Promise<void> }[] = [];
  try {
    const first = await startServerProcess({ env });
    servers.push(first);
    const second = await HeldClockServer.start(new Date(), { ...env, FIRST_RUN: 'off' });
    servers.push(second);
    const { api_keys: keys, sample } = await first.firstRun();
    const [one, other] = [first, second].map(({ url }) => new Client(url).withKey(keys.live)) as [Client, Client];
    const path = '/api/v1/handshake?distinct_id=user-1';
    const known = await other.get(path);
    assert.is((await other.get(path, { 'if-none-match': known.headers.get('etag') ?? '' })).status, 304);
    const halted = await one.post('/api/switch/halt-webhook', { flag_key: sample.flag_key, reason: 'test' });
    assert.is(halted.status, 200);
    const answer = await until('the halt', async () => {
      const now = await other.get(path, { 'if-none-match': known.headers.get('etag') ?? '' });
      return now.status === 200 && now;
    });
    const decided = (answer.body as Flags).modules.switch.flags[sample.flag_key];
    assert.equal(decided, { value: false, variant: 'off', reason: 'halted', version: 2 });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  }
}

x('is told over the database alone', () => seesHalt(null));

if (machineHas('redis-server'))
  x('is told over Redis', async () => {
    const redis = await RedisServer.start();
    try {
      await seesHalt(redis.url);
    } finally {
      await redis.close();
    }
  });

x.run();
