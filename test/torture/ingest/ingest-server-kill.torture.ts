import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort, type ServerProcess } from '../../harness/server-process.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { tortureKeys } from '../torture-project.js';
import { BatchClients, QUICK_PAUSE_MS, statusesText } from './acknowledged-batches.js';

export const name = 'ingest-server-kill';
export const usualCount = 200;

const CLIENTS = 6;
/** Longest time between an acknowledgement after the start and the kill. */
const LIFE_MS = 250;

/** Kills the server with SIGKILL under load, at a different moment of its life each time, and restarts it. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const databaseUrl = await torture.createDatabase();
  const env = { DATABASE_URL: databaseUrl, PORT: String(await freePort()), ROLE: 'api', LOG_LEVEL: 'error' };
  let server: ServerProcess = await torture.startServer({ env });
  const { keys } = await tortureKeys(server);
  const { url, dataDir } = server;
  const clients = new BatchClients(() => url, keys, CLIENTS, torture.judgesSpeed ? 0 : QUICK_PAUSE_MS);
  for (let kill = 0; kill < torture.count; kill++) {
    await clients.nextAcknowledgement();
    await sleep(Math.random() * LIFE_MS);
    await server.end('SIGKILL');
    server = await torture.startServer({ dataDir, env: { ...env, FIRST_RUN: 'off' } });
    if ((kill + 1) % 20 === 0) torture.log(`${kill + 1} kills`);
  }
  await clients.nextAcknowledgement();
  await clients.stop();
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const { acknowledged, lost, partial, statuses } = await clients.findings(database);
  await database.end();
  return [
    {
      promise: 'a 200 from ingestion is stored, whole, while the server is killed',
      seen: `${torture.count} kills, ${acknowledged} acknowledged, ${lost} lost, ${partial} partial (${statusesText(statuses)})`,
      held: acknowledged > 0 && lost === 0 && partial === 0 && !statuses.has(500),
    },
  ];
}
