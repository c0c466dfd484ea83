import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedDatabase } from '../../../src/storage/embedded/embedded-database.js';
import { postmasterPid } from '../../harness/cpu.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { tortureKeys } from '../torture-project.js';
import { BatchClients, QUICK_PAUSE_MS, statusesText } from './acknowledged-batches.js';

export const name = 'ingest-database-kill';
export const usualCount = 100;

const CLIENTS = 6;
const LIFE_MS = 250;
const BACK_WITHIN_MS = 5_000;

/**
 * Under load, kills a PostgreSQL that restarts on its own: in turn, the postmaster with all its children, or one
 * backend. The server is not restarted: it answers 503 and recovers on its own.
 */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-torture-'));
  const embedded = await startEmbeddedDatabase({ dataDir, onProgress: () => undefined });
  try {
    return await killAgainAndAgain(torture, embedded.url);
  } finally {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function killAgainAndAgain(torture: TortureContext, databaseUrl: string): Promise<TortureRow[]> {
  const server = await torture.startServer({ env: { DATABASE_URL: databaseUrl, ROLE: 'api', LOG_LEVEL: 'error' } });
  const { keys } = await tortureKeys(server);
  const clients = new BatchClients(() => server.url, keys, CLIENTS, torture.judgesSpeed ? 0 : QUICK_PAUSE_MS);
  let slowest = 0;
  for (let kill = 0; kill < torture.count; kill++) {
    await clients.nextAcknowledgement();
    await sleep(Math.random() * LIFE_MS);
    const postmaster = await postmasterPid(databaseUrl);
    const untilNoticed = await connectionThatEnds(databaseUrl);
    if (kill % 3 === 1) killOneBackend(postmaster);
    else killAll(postmaster);
    await untilNoticed();
    const back = await untilDatabaseAnswers(databaseUrl);
    await clients.nextAcknowledgement();
    slowest = Math.max(slowest, performance.now() - back);
    if ((kill + 1) % 20 === 0) torture.log(`${kill + 1} kills`);
  }
  await clients.stop();
  await server.end();
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const { acknowledged, lost, partial, statuses } = await clients.findings(database);
  await database.end();
  const unexpected = [...statuses.keys()].filter((status) => ![200, 503, 0].includes(status));
  return [
    {
      promise:
        'a 200 from ingestion is stored, whole, while PostgreSQL is killed; 503 meanwhile, back within 5 s of its return',
      seen: `${torture.count} kills, ${acknowledged} acknowledged, ${lost} lost, ${partial} partial, slowest return ${(slowest / 1000).toFixed(1)} s (${statusesText(statuses)})`,
      held:
        acknowledged > 0 &&
        lost === 0 &&
        partial === 0 &&
        unexpected.length === 0 &&
        (!torture.judgesSpeed || slowest <= BACK_WITHIN_MS),
    },
  ];
}

/**
 * Kills the children as well: on their own they only exit when they next check for their parent, and may still write
 * until then.
 */
function killAll(postmaster: number): void {
  const children = childrenOf(postmaster);
  for (const pid of [postmaster, ...children]) kill(pid);
}

function killOneBackend(postmaster: number): void {
  const backends = childrenOf(postmaster).filter((pid) => /quarterdeck|COPY|INSERT|idle|COMMIT/.test(commandOf(pid)));
  const chosen = backends[Math.floor(Math.random() * backends.length)];
  if (chosen === undefined) throw new Error('PostgreSQL has no backend to kill');
  kill(chosen);
}

/** Waits for PostgreSQL to notice the next kill, which ends every connection; until then it still answers. */
async function connectionThatEnds(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  const end = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('error', () => undefined);
  await client.connect();
  return () => end;
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && parentOf(pid) === parent);
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

async function untilDatabaseAnswers(url: string): Promise<number> {
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      await client.end();
      return performance.now();
    } catch {
      await sleep(20);
    }
  }
}
