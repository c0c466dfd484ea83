import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ensureEventPartitions } from '../../../src/modules/ingest/events/event-partitions.js';
import { freePort } from '../../harness/server-process.js';
import { migrateDatabase } from '../../support/database.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { BatchClients, type Findings } from './acknowledged-batches.js';

export const name = 'ingest-controls';
export const usualCount = 10;

const CLIENTS = 6;
const LIFE_MS = 250;
const naiveServer = fileURLToPath(new URL('./naive-server.js', import.meta.url));

/** Shows that the harness can fail: it must catch two naive ways to ingest, killed the same way as the product. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const databaseUrl = await torture.createDatabase();
  await migrateDatabase(databaseUrl);
  const ackFirst = await kills(torture, databaseUrl, 'ack-first');
  const rowByRow = await kills(torture, databaseUrl, 'row-by-row');
  const seen = ({ acknowledged, lost, partial }: Findings) =>
    `${torture.count} kills, ${acknowledged} acknowledged, ${lost} lost, ${partial} partial`;
  return [
    { promise: 'control: ack before commit is caught losing batches', seen: seen(ackFirst), held: ackFirst.lost > 0 },
    { promise: 'control: row by row is caught with partial batches', seen: seen(rowByRow), held: rowByRow.partial > 0 },
  ];
}

async function kills(torture: TortureContext, databaseUrl: string, way: string): Promise<Findings> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await ensureEventPartitions(database, new Date());
  await database.query('truncate event, person_id');
  const port = String(await freePort());
  let server = await startNaive(port, databaseUrl, way);
  const clients = new BatchClients(() => `http://127.0.0.1:${port}`, ['none'], CLIENTS);
  for (let kill = 0; kill < torture.count; kill++) {
    await clients.nextAcknowledgement();
    await sleep(Math.random() * LIFE_MS);
    server.kill('SIGKILL');
    await once(server, 'exit');
    server = await startNaive(port, databaseUrl, way);
  }
  await clients.stop();
  await sleep(1_000);
  server.kill('SIGKILL');
  const findings = await clients.findings(database);
  await database.end();
  return findings;
}

async function startNaive(port: string, databaseUrl: string, way: string): Promise<ChildProcess> {
  const server = fork(naiveServer, [port, databaseUrl, way], { execPath: process.execPath, stdio: 'ignore' });
  await once(server, 'message');
  return server;
}
