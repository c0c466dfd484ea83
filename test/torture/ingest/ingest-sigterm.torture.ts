import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../harness/server-process.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { tortureKeys } from '../torture-project.js';
import { BatchClients, QUICK_PAUSE_MS, statusesText } from './acknowledged-batches.js';

export const name = 'ingest-sigterm';
export const usualCount = 50;

const CLIENTS = 6;
const LIFE_MS = 250;
const EXIT_WITHIN_MS = 10_000;

/** Stops the server with SIGTERM under load: it must exit with 0 within 10 s and lose nothing. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const databaseUrl = await torture.createDatabase();
  const env = { DATABASE_URL: databaseUrl, PORT: String(await freePort()), ROLE: 'api', LOG_LEVEL: 'error' };
  let server = await torture.startServer({ env });
  const { keys } = await tortureKeys(server);
  const { url, dataDir } = server;
  const clients = new BatchClients(() => url, keys, CLIENTS, torture.judgesSpeed ? 0 : QUICK_PAUSE_MS);
  let slowest = 0;
  const badExits: string[] = [];
  for (let cycle = 0; cycle < torture.count; cycle++) {
    await clients.nextAcknowledgement();
    await sleep(Math.random() * LIFE_MS);
    const begun = performance.now();
    const code = await server.end('SIGTERM');
    slowest = Math.max(slowest, performance.now() - begun);
    if (code !== 0) badExits.push(String(code));
    server = await torture.startServer({ dataDir, env: { ...env, FIRST_RUN: 'off' } });
  }
  await clients.nextAcknowledgement();
  await clients.stop();
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const { acknowledged, lost, partial, statuses } = await clients.findings(database);
  await database.end();
  return [
    {
      promise: 'SIGTERM loses nothing: exit 0 within 10 s',
      seen: `${torture.count} cycles, ${acknowledged} acknowledged, ${lost} lost, ${partial} partial, slowest exit ${(slowest / 1000).toFixed(1)} s, bad exits: ${badExits.join(' ') || 'none'} (${statusesText(statuses)})`,
      held:
        acknowledged > 0 &&
        lost === 0 &&
        partial === 0 &&
        badExits.length === 0 &&
        (!torture.judgesSpeed || slowest <= EXIT_WITHIN_MS) &&
        !statuses.has(500),
    },
  ];
}
