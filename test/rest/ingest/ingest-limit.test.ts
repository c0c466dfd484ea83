import { Redis } from 'ioredis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MINUTE_MS } from '../../../src/kernel/values/durations.js';
import { machineHas } from '../../runner/machine.js';
import { RedisServer } from '../../storage/redis-server.js';
import { HeldClockServer } from '../../support/clocks/held-clock-server.js';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const REQUESTS = 800;
const AT_ONCE = 20;

/** A process that counts, in which time stands still unless told to advance. */
type Counting = Pick<HeldClockServer, 'url' | 'advance'>;

async function track(url: string, key: string): Promise<Response> {
  const answer = await fetch(`${url}/api/v1/track`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{"event_name":"e","distinct_id":"u"}',
  });
  await answer.arrayBuffer();
  return answer;
}

/** A process that has just started may not have found Redis yet, and then counts by itself. */
async function untilCountedInRedis(servers: readonly Counting[], redisUrl: string): Promise<void> {
  const client = new Redis(redisUrl);
  for (const server of servers) {
    const known = new Set(await client.keys('*'));
    await until('a count in Redis', async () => {
      await track(server.url, `warm-up of ${server.url}`);
      return (await client.keys('*')).some((key) => !known.has(key));
    });
  }
  client.disconnect();
}

/** The same limit, however many processes count towards it; several need Redis to count together. */
function tryLimit(name: string, processes: 1 | 2): void {
  const x = suite(`ingestion limit ${name}`);
  let test: TestApp;
  let world: World;
  let redis: RedisServer | undefined;
  let servers: Counting[] = [];
  let other: HeldClockServer | undefined;
  const serverOf = (n: number) => servers[n % processes] as Counting;

  x.before(async () => {
    const settings: Record<string, string> = {};
    if (processes > 1) {
      redis = await RedisServer.start();
      // Unlimited patience: the limit is exact as long as Redis answers, however late on a busy machine.
      Object.assign(settings, { REDIS_URL: redis.url, REDIS_PATIENCE_MS: '60000' });
    }
    test = await openTestApp({ settings, unwatched: true });
    world = await buildWorld(test);
    const instant = new Date();
    test.clock.set(instant);
    servers = [{ url: test.baseUrl, advance: async (milliseconds) => test.clock.advance(milliseconds) }];
    if (!redis) return;
    // Redis keys are derived from the secret.
    const place = { DATABASE_URL: test.databaseUrl, DATA_DIR: test.dataDir, JWT_SECRET: test.jwtSecret };
    other = await HeldClockServer.start(instant, { ...settings, ...place });
    servers.push(other);
    await untilCountedInRedis(servers, redis.url);
  });
  x.after(async () => {
    await other?.stop();
    await test?.close();
    await redis?.close();
  });

  x('lets exactly 500 of 800 requests per minute pass, and sends no limit headers', async () => {
    const passed = new Map<number, number>();
    const ask = async (n: number): Promise<void> => {
      const { status, headers } = await track(serverOf(n).url, world.keys.live);
      passed.set(status, (passed.get(status) ?? 0) + 1);
      for (const header of headers.keys()) assert.not.match(header, /^(retry-after|(x-)?ratelimit)/);
    };
    for (let n = 0; n < REQUESTS; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => ask(n + i)));
    assert.equal([...passed].toSorted(), [
      [200, 500],
      [429, 300],
    ]);
  });

  x('starts over with the next minute', async () => {
    for (const server of servers) await server.advance(MINUTE_MS);
    for (const server of servers) assert.is((await track(server.url, world.keys.live)).status, 200);
  });

  x.run();
}

tryLimit('of one process', 1);
if (machineHas('redis-server')) tryLimit('over two processes', 2);
