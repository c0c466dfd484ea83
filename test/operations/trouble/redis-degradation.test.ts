import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../../harness/server-process.js';
import { machineHas } from '../../runner/machine.js';
import { RedisServer } from '../../storage/redis-server.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';
import { writeTarget } from '../../torture/torture-project.js';
import type { WriteTarget } from '../../torture/write-kinds.js';
import { callUntil, newKey, type RunningServer, startRunningServer, track } from '../running-server.js';
import { isReady, quotaOf } from './redis-trouble.js';

let database: TestDatabase;
let a: RunningServer;
let b: RunningServer;

/** One port for the whole file: nobody listens there at first, then a Redis that comes and goes. */
let redis: RedisServer | undefined;
let target: WriteTarget;
const hasRedis = machineHas('redis-server');

async function startBoth(redisUrl: string): Promise<void> {
  database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, REDIS_URL: redisUrl, LOG_LEVEL: 'warn' };
  a = await startRunningServer(env);
  b = await startRunningServer({ ...env, FIRST_RUN: 'off' }, a.process.dataDir);
  target = await writeTarget(a.process);
}

async function stopBoth(): Promise<void> {
  await b?.process.stop();
  await a?.process.stop();
  await database?.drop();
  await redis?.close();
}

/** Waits until `b` rejects a key that was revoked on `a`; both knew it. */
async function hearsOfRevocation(): Promise<void> {
  const { id, secret } = await newKey(a);
  const onB = b.live.withKey(secret);
  assert.is((await track(onB, 1)).status, 200);
  await a.owner.graphql('mutation($input: IdInput!) { revokeApiKey(input: $input) { id } }', { input: { id } });
  await until('the refusal', async () => (await track(onB, 2)).status === 401);
}

const without = suite('two processes whose Redis was never there');

without.before(async () => {
  if (hasRedis) {
    redis = await RedisServer.start();
    await redis.kill();
  }
  await startBoth(redis?.url ?? `redis://127.0.0.1:${await freePort()}`);
});
without.after(async () => {
  if (!hasRedis) await stopBoth();
});

without('serve, report that they are degraded but ready, and learn of a revoked key', async () => {
  for (const server of [a, b]) await isReady(server, '200 redis');
  await hearsOfRevocation();
});

without('keep a monthly quota exact', async () => {
  assert.equal(await quotaOf(50, [a, b], target, [], 80), { 201: 50, 402: 30 });
});

without.run();

const x = suite('two processes whose Redis is there');

x.before(async () => {
  await redis?.restart();
  for (const server of [a, b]) await isReady(server, '200');
});
x.after(stopBoth);

x('learn of a revoked key', async () => {
  await hearsOfRevocation();
});

for (const [name, hurt, heal] of [
  ['killed', () => redis?.kill(), () => redis?.restart()],
  ['frozen', () => redis?.signal('SIGSTOP'), () => redis?.signal('SIGCONT')],
  ['full', () => redis?.fill(true), () => redis?.fill(false)],
] as const) {
  x(`keep serving when Redis is ${name}: no 5xx, degraded but ready, and learn of a revocation`, async () => {
    try {
      for (const server of [a, b]) await isReady(server, '200');
      const live = a.live.withKey((await newKey(a)).secret);
      const { statuses } = await callUntil(
        (n) => {
          if (n === 20) void hurt();
          return track(live, n);
        },
        (n) => n === 80,
      );
      assert.equal(statuses, { 200: 80 });
      await isReady(a, '200 redis');
      await hearsOfRevocation();
    } finally {
      await heal();
    }
    for (const server of [a, b]) await isReady(server, '200');
  });
}

x('keep serving when Redis loses its data', async () => {
  const { secret } = await newKey(a);
  const clients = [a.live.withKey(secret), b.live.withKey(secret)] as const;
  const { statuses } = await callUntil(
    async (n) => {
      if (n === 40) await redis?.flush();
      return track(clients[n % 2] as never, n);
    },
    (n) => n === 80,
  );
  assert.equal(statuses, { 200: 80 });
});

x('keep a monthly quota exact while Redis goes away and comes back empty', async () => {
  const hurt = [async () => redis?.kill(), async () => redis?.restart(), async () => redis?.flush()];
  assert.equal(await quotaOf(50, [a, b], target, hurt, 80), { 201: 50, 402: 30 });
});

if (hasRedis) x.run();
