import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemResolver } from '../../src/kernel/outbound/target-resolution.js';
import { type Ending, NAMES, RECEIVERS, TESTED_ELSEWHERE } from '../support/bad-inputs/bad-deliveries.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { buildSubscription, draftEntries } from '../support/factories/webhook-factory.js';
import { type DeliveryTestApp, openDeliveryApp } from '../support/receivers/delivery-app.js';
import { answer, type HostileReceiver, hostileReceiver } from '../support/receivers/hostile-receiver.js';
import { NXDOMAIN, type StubDns, stubDns } from '../support/receivers/stub-dns.js';

/** Longer than a busy machine takes for any answer that arrives; those that never arrive are waited for together. */
const TIMEOUT_MS = 10_000;

const bad = suite('bad deliveries');
let test: DeliveryTestApp;
let dns: StubDns;
let world: World;
const subscriptions = new Map<string, string>();
const receivers = new Map<string, HostileReceiver>();
let trap: HostileReceiver;

bad.before(async () => {
  dns = await stubDns((name) => NAMES[Object.keys(NAMES)[Number(name.split('.')[0]?.slice(1))] ?? ''] ?? NXDOMAIN);
  test = await openDeliveryApp({ resolve: systemResolver([dns.server]), timeoutMs: TIMEOUT_MS });
  trap = await hostileReceiver(answer(200), { host: '127.0.0.1' });
  world = await buildWorld(test);
  for (const [name, { behaviour, tls, httpsToPlain, onConnect }] of Object.entries(RECEIVERS)) {
    const receiver = await hostileReceiver(behaviour, { ...(tls ? { tls } : {}), ...(onConnect ? { onConnect } : {}) });
    receivers.set(name, receiver);
    const url = httpsToPlain ? receiver.url.replace('http:', 'https:') : receiver.url;
    subscriptions.set(name, (await buildSubscription(world, url)).id);
  }
  for (const [at, name] of Object.keys(NAMES).entries()) {
    subscriptions.set(name, (await buildSubscription(world, `http://n${at}.test:${trap.port}/`)).id);
  }
  await draftEntries(world, 1);
  // Everything is due, and there is never a second attempt.
  test.clock.set(new Date(Date.now() + 60_000));
  await test.settle();
});
bad.after(async () => {
  await Promise.all([...receivers.values(), trap, dns].map((server) => server.close()));
  await test.close();
});

bad('every receiver: the delivery ends as it must, with a log of limited size', async () => {
  for (const [name, { ending }] of Object.entries(RECEIVERS)) {
    const seen = await outcomeOf(name);
    assert.is(seen.ending, ending, `${name}: ${seen.failure ?? seen.status}`);
    assert.ok(seen.answer.length <= 4096, name);
    assert.ok((receivers.get(name)?.requests.length ?? 0) <= 1, name);
  }
});

bad('every name: a failed attempt that is retried, and no connection to the trap', async () => {
  for (const name of Object.keys(NAMES)) {
    const seen = await outcomeOf(name);
    assert.is(seen.ending, 'retried', name);
    assert.match(seen.failure ?? '', /^(dns:|address:|timeout)/, name);
  }
  assert.is(trap.connections, 0);
});

bad('nothing is sent in plain text when TLS fails', () => {
  for (const [name, { tls, httpsToPlain }] of Object.entries(RECEIVERS)) {
    if (tls || httpsToPlain) assert.is(receivers.get(name)?.requests.length, 0, name);
  }
});

bad('inputs that need their own test have one', () => {
  for (const file of Object.values(TESTED_ELSEWHERE)) {
    assert.ok(existsSync(join(import.meta.dirname, '..', file.replace(/\.ts$/, '.js'))), file);
  }
});

bad.run();

interface Outcome {
  ending: Ending | 'unknown';
  status: number | null;
  failure: string | null;
  latencyMs: number;
  answer: string;
}

async function outcomeOf(name: string): Promise<Outcome> {
  const { rows } = await test.app.pool.query<
    Omit<Outcome, 'ending'> & { outcome: string; waits: boolean; off: boolean }
  >(
    `select a.status, a.failure, a.latency_ms as "latencyMs", a.answer, a.outcome, not s.is_enabled as off,
            exists (select from webhook_queue q where q.id = a.delivery_id and q.due_at > $2) as waits
       from webhook_attempt a join webhook_subscription s on s.id = a.subscription_id where a.subscription_id = $1`,
    [subscriptions.get(name), test.clock.now()],
  );
  assert.is(rows.length, 1, name);
  const [row] = rows as [(typeof rows)[0]];
  const ending =
    row.outcome === 'delivered'
      ? 'delivered'
      : row.outcome === 'retry' && row.waits
        ? 'retried'
        : row.off
          ? 'gone'
          : 'unknown';
  return { ...row, ending };
}
