import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServerProcess } from '../harness/server-process.js';
import { hasRedisServer, RedisServer } from '../storage/redis-server.js';
import { createEmptyDatabase } from '../support/database.js';

const REQUESTS = 2_000;
const AT_ONCE = 20;
const MINUTE_MS = 60_000;

const redisIsThere = hasRedisServer();
const x = suite('ingestion limit over two processes');

if (redisIsThere) {
  x('lets exactly 500 of 2,000 requests of a minute pass, and says nothing of limits', async () => {
    const database = await createEmptyDatabase();
    const redis = await RedisServer.start();
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, ROLE: 'api', LOG_LEVEL: 'error' };
    const first = await startServerProcess({ env });
    const second = await startServerProcess({ env: { ...env, FIRST_RUN: 'off' } });
    try {
      const { api_keys } = await first.firstRun();
      const left = MINUTE_MS - (Date.now() % MINUTE_MS);
      if (left < 40_000) await sleep(left + 50);
      const minute = Math.floor(Date.now() / MINUTE_MS);
      const urls = [first.url, second.url];
      const passed = new Map<number, number>();
      const ask = async (n: number): Promise<void> => {
        const answer = await fetch(`${urls[n % 2]}/api/v1/track`, {
          method: 'POST',
          headers: { 'x-api-key': api_keys.live, 'content-type': 'application/json' },
          body: '{"event_name":"e","distinct_id":"u"}',
        });
        await answer.arrayBuffer();
        passed.set(answer.status, (passed.get(answer.status) ?? 0) + 1);
        for (const header of answer.headers.keys()) assert.not.match(header, /^(retry-after|x-ratelimit)/);
      };
      for (let n = 0; n < REQUESTS; n += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => ask(n + i)));
      assert.is(Math.floor(Date.now() / MINUTE_MS), minute, 'the machine was too slow for one minute');
      assert.equal([...passed].toSorted(), [
        [200, 500],
        [429, 1_500],
      ]);
    } finally {
      await Promise.all([first.stop(), second.stop()]);
      await redis.close();
      await database.drop();
    }
  });
} else {
  x('needs redis-server, which is not installed', () => assert.not(redisIsThere));
}

x.run();
