import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ServerProcess } from '../../harness/server-process.js';
import { Client } from '../../support/client.js';
import { type SuspiciousReceiver, suspiciousReceiver } from '../../support/receivers/suspicious-receiver.js';
import { until } from '../../support/until.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { deliverAll } from './deliver-all.js';

export const name = 'webhooks';
export const usualCount = 60;

const WRITERS = 4;
const HOSTILE = { failing: 0.05, resetting: 0.03, slow: 0.01 };
const FRIENDLY = { failing: 0, resetting: 0, slow: 0 };
const AFTER_RESTART_MS = 5_000;

/** The entries acknowledged to a client as stored, and those whose request ended without an answer. */
interface Written {
  acknowledged: string[];
  unanswered: number;
}

/**
 * Kills the server repeatedly while events are created, with a receiver that fails, resets connections and responds
 * slowly.
 */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const receiver = await suspiciousReceiver(HOSTILE);
  const databaseUrl = await torture.createDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-torture-'));
  const start = (): Promise<ServerProcess> =>
    torture.startServer({
      dataDir,
      env: { DATABASE_URL: databaseUrl, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    });
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    let server = await start();
    const { project_id: projectId, tokens } = await server.firstRun();
    const clientOf = (at: ServerProcess): Client => new Client(at.url, { token: tokens.owner });
    receiver.secrets.push(await subscribe(clientOf(server), projectId, receiver.url));

    const written: Written = { acknowledged: [], unanswered: 0 };
    for (let kill = 1; kill <= torture.count; kill++) {
      const before = written.acknowledged.length;
      const writing = write(clientOf(server), projectId, written);
      await until('an event is acknowledged', () => written.acknowledged.length > before);
      await sleep(200 + Math.random() * 800);
      await server.end('SIGKILL');
      await writing;
      server = await start();
      if (kill % 10 === 0)
        torture.log(`${kill} kills, ${written.acknowledged.length} events, ${receiver.heard.size} heard`);
    }
    receiver.hostility = FRIENDLY;
    await deliverAll(database);
    const delays = await killsAfterCommit(
      Math.max(1, Math.ceil(torture.count / 10)),
      start,
      server,
      clientOf,
      projectId,
      receiver,
    );
    await deliverAll(database);
    const kept = await storedEntries(database);
    return [...deliveryRows(torture.count, written, kept, receiver), promptnessRow(delays, torture.judgesSpeed)];
  } finally {
    await database.end();
    await receiver.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function deliveryRows(kills: number, written: Written, kept: Set<string>, receiver: SuspiciousReceiver): TortureRow[] {
  const heard = [...receiver.heard.values()].filter(({ objectId }) => kept.has(objectId));
  const accepted = new Set(heard.filter((event) => event.accepted).map(({ objectId }) => objectId));
  const lost = written.acknowledged.filter((id) => !accepted.has(id)).length;
  const unheard = [...kept].filter((id) => !accepted.has(id)).length;
  const phantom = receiver.heard.size - heard.length;
  const repeats = heard.reduce((sum, { times }) => sum + times - 1, 0);
  const split = heard.length - new Set(heard.map(({ objectId }) => objectId)).size;
  return [
    {
      promise: 'webhooks are at least once, never phantom',
      seen: `${kills} kills, ${written.acknowledged.length} acknowledged events (${written.unanswered} requests unanswered), ${lost} lost, ${unheard} stored but unheard, ${phantom} phantom`,
      held: lost === 0 && unheard === 0 && phantom === 0 && written.acknowledged.length > 0,
    },
    {
      promise: 'every delivery is signed, repeats carry the same id and body',
      seen: `${repeats} repeats, ${split} events under two ids, ${receiver.changedBodies} changed bodies, ${receiver.badSignatures} bad signatures`,
      held: split === 0 && receiver.changedBodies === 0 && receiver.badSignatures === 0,
    },
  ];
}

/** @param delays milliseconds from readiness to delivery; null if the delivery came before the kill. */
function promptnessRow(delays: readonly (number | null)[], judgesSpeed: boolean): TortureRow {
  const waited = delays.filter((delay) => delay !== null);
  const worst = Math.round(Math.max(0, ...waited));
  return {
    promise: 'killed right after a commit: delivered within 5 s of the restart',
    seen: `${delays.length} kills, ${delays.length - waited.length} deliveries faster than the kill, the others ${worst} ms at worst`,
    held: !judgesSpeed || worst <= AFTER_RESTART_MS,
  };
}

async function subscribe(client: Client, projectId: string, url: string): Promise<string> {
  const { createWebhookSubscription } = await client.graphql<{ createWebhookSubscription: { secret: string } }>(
    'mutation($input: CreateWebhookSubscriptionInput!) { createWebhookSubscription(input: $input) { secret } }',
    { input: { projectId, url, patterns: ['changelog.*'] } },
  );
  return createWebhookSubscription.secret;
}

async function draft(client: Client, projectId: string): Promise<string> {
  const { createChangelogEntry } = await client.graphql<{ createChangelogEntry: { id: string } }>(
    'mutation($input: CreateChangelogEntryInput!) { createChangelogEntry(input: $input) { id } }',
    { input: { projectId, title: 'Torture' } },
  );
  return createChangelogEntry.id;
}

/** Creates entries until the server is gone. */
async function write(client: Client, projectId: string, written: Written): Promise<void> {
  const writer = async (): Promise<void> => {
    for (;;) {
      try {
        written.acknowledged.push(await draft(client, projectId));
      } catch {
        written.unanswered += 1;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

async function storedEntries(database: pg.Client): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>('select object_id as id from event_log where kind = $1', [
    'changelog.entry.created',
  ]);
  return new Set(rows.map(({ id }) => id));
}

async function killsAfterCommit(
  kills: number,
  start: () => Promise<ServerProcess>,
  running: ServerProcess,
  clientOf: (server: ServerProcess) => Client,
  projectId: string,
  receiver: SuspiciousReceiver,
): Promise<(number | null)[]> {
  const delays: (number | null)[] = [];
  let server = running;
  for (let kill = 0; kill < kills; kill++) {
    const id = await draft(clientOf(server), projectId);
    await server.end('SIGKILL');
    const isHeard = (): boolean =>
      [...receiver.heard.values()].some((event) => event.objectId === id && event.accepted);
    const wasFaster = isHeard();
    server = await start();
    const ready = performance.now();
    await until('the delivery', isHeard);
    delays.push(wasFaster ? null : performance.now() - ready);
  }
  return delays;
}
