import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { newPrefixedId, newUuid } from '../../src/kernel/ids.js';
import { cpuMicrosOfTree } from '../harness/cpu.js';
import { alternate, median } from '../harness/rounds.js';
import { Client } from '../support/client.js';
import { queueDeliveries } from '../support/receivers/waiting-deliveries.js';
import { type BenchContext, type BenchRow, row } from './bench.js';

export const name = 'webhooks';

const WAITING = 10_000;
const processOf = (file: string): ChildProcess => fork(fileURLToPath(new URL(file, import.meta.url)));

interface Measured {
  perSecond: number;
  serverMicros: number;
  databaseMicros: number;
}

/**
 * Deliveries to a receiver on this machine with 10,000 events waiting, compared with what a plain undici pool sends it.
 */
export async function run({ rounds, startServer, createDatabase, databasePid }: BenchContext): Promise<BenchRow[]> {
  const databaseUrl = await createDatabase();
  const server = await startServer({ env: { DATABASE_URL: databaseUrl, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const receiver = processOf('./delivery-receiver-process.js');
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
  const url = `http://127.0.0.1:${port}/hook`;
  try {
    const { project_id: projectId, tokens } = await server.firstRun();
    const subscriptionId = await subscribe(new Client(server.url, { token: tokens.owner }), projectId, url);
    const receive = async (begin: () => Promise<unknown> | undefined): Promise<number> => {
      receiver.send({ expect: WAITING });
      const done = once(receiver, 'message') as Promise<[{ elapsedMs: number }]>;
      await begin();
      const [{ elapsedMs }] = await done;
      return ((WAITING - 1) / elapsedMs) * 1_000;
    };
    const product = async (): Promise<Measured> => {
      await database.query('update webhook_subscription set is_enabled = false where id = $1', [subscriptionId]);
      await queueDeliveries(database, subscriptionId, WAITING);
      const before = { server: cpuMicrosOfTree(server.pid), database: cpuMicrosOfTree(databasePid) };
      const perSecond = await receive(() =>
        database.query('update webhook_subscription set is_enabled = true where id = $1', [subscriptionId]),
      );
      await emptied(database);
      return {
        perSecond,
        serverMicros: (cpuMicrosOfTree(server.pid) - before.server) / WAITING,
        databaseMicros: (cpuMicrosOfTree(databasePid) - before.database) / WAITING,
      };
    };
    const plain = async (): Promise<Measured> => {
      const sender = processOf('./plain-sender-process.js');
      const headers = { 'content-type': 'application/json', 'webhook-id': newPrefixedId('evt') };
      const body = JSON.stringify({ type: 'config.item.changed', id: newUuid(), data: 'x'.repeat(450) });
      const perSecond = await receive(async () => sender.send({ url, count: WAITING, headers, body }));
      return { perSecond, serverMicros: 0, databaseMicros: 0 };
    };
    const measured = await alternate(rounds, { product, plain });
    return [
      row({
        path: 'webhook delivery, 10,000 waiting',
        unit: 'deliveries/s',
        values: measured.product.map(({ perSecond }) => perSecond),
        peer: { what: 'a plain undici pool', values: measured.plain.map(({ perSecond }) => perSecond) },
        goal: { atLeast: 0.5 },
        more: {
          'server µs/op': median(measured.product.map(({ serverMicros }) => serverMicros)),
          'database µs/op': median(measured.product.map(({ databaseMicros }) => databaseMicros)),
        },
      }),
    ];
  } finally {
    receiver.disconnect();
    await database.end();
  }
}

async function subscribe(client: Client, projectId: string, url: string): Promise<string> {
  const { createWebhookSubscription } = await client.graphql<{
    createWebhookSubscription: { subscription: { id: string } };
  }>(
    'mutation($input: CreateWebhookSubscriptionInput!) { createWebhookSubscription(input: $input) { subscription { id } } }',
    { input: { projectId, url, patterns: ['config.item.changed'] } },
  );
  return createWebhookSubscription.subscription.id;
}

async function emptied(database: pg.Client): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    const { rows } = await database.query<{ left: boolean }>('select exists (select from webhook_queue) as left');
    if (rows[0]?.left !== true) return;
    await new Promise((later) => setTimeout(later, 20));
  }
  throw new Error('the queue was not emptied within 20 s');
}
