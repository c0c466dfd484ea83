import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ServerProcess, startServerProcess } from '../../harness/server-process.js';
import { machineHas } from '../../runner/machine.js';
import { RedisServer } from '../../storage/redis-server.js';
import { Client } from '../../support/client.js';
import { createTestDatabase } from '../../support/database.js';

const x = suite('a halt in another process');

interface Flags {
  modules: { switch: { flags: Record<string, { value: unknown; reason: string; version: number }> } };
}

async function haltIsSeen(redisUrl: string | null): Promise<number> {
  const database = await createTestDatabase();
  const env = {
    DATABASE_URL: database.url,
    ROLE: 'api',
    NODE_ENV: 'test',
    JWT_SECRET: 'one secret for all processes of this test',
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
  };
  const servers: ServerProcess[] = [];
  try {
    const first = await startServerProcess({ env });
    servers.push(first, await startServerProcess({ env: { ...env, FIRST_RUN: 'off' } }));
    const { api_keys: keys, sample } = await first.firstRun();
    const [one, other] = servers.map(({ url }) => new Client(url).withKey(keys.live)) as [Client, Client];
    const path = '/api/v1/handshake?distinct_id=user-1';
    const known = await other.get(path);
    assert.is((await other.get(path, { 'if-none-match': known.headers.get('etag') ?? '' })).status, 304);
    const halted = await one.post('/api/switch/halt-webhook', { flag_key: sample.flag_key, reason: 'test' });
    assert.is(halted.status, 200);
    const since = performance.now();
    for (;;) {
      const answer = await other.get(path, { 'if-none-match': known.headers.get('etag') ?? '' });
      const waited = performance.now() - since;
      if (answer.status === 200) {
        const decided = (answer.body as Flags).modules.switch.flags[sample.flag_key];
        assert.equal(decided, { value: false, variant: 'off', reason: 'halted', version: 2 });
        return waited;
      }
      assert.ok(waited < 5_000, 'the halt was not seen within five seconds');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  }
}

x('is seen within five seconds over the database alone', async () => {
  assert.ok((await haltIsSeen(null)) < 5_000);
});

if (machineHas('redis-server'))
  x('is seen within five seconds over Redis', async () => {
    const redis = await RedisServer.start();
    try {
      assert.ok((await haltIsSeen(redis.url)) < 5_000);
    } finally {
      await redis.close();
    }
  });

x.run();
