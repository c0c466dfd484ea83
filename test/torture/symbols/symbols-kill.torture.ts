import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, type ServerProcess } from '../../harness/server-process.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { findingsText, type StoredFindings, sweepAndFind } from './stored-symbols.js';
import { SymbolUploads } from './symbol-uploads.js';
import { DURABLE_ORDER, STEP_SETTINGS, UPLOAD_STEPS } from './upload-steps.js';
import { canTrace, durableOrderOf, traceCommand } from './upload-trace.js';

export const name = 'symbols-kill';
export const usualCount = 50;

/** Loaded into a server, kills it at a named step. */
export const HOOK = join(dirname(fileURLToPath(import.meta.url)), 'kill-at-step.js');
/** Three blocks in the disk store. */
const SIZE_IN_QUICK_FORM = 3 * 1024 * 1024;
/** Servers that are started, used and killed in parallel. */
const LANES = 2;

/** Kills the server at every named step of an upload to disk, `count` times each, and checks what is left. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-steps-'));
  try {
    const log = join(folder, 'order');
    const trace = join(folder, 'trace');
    const settings = { [STEP_SETTINGS.log]: log };
    const place = await openPlace(torture, folder, settings, canTrace() ? traceCommand(trace) : undefined);
    const order = await orderRow(log, trace);
    const killed = await killAtSteps(
      torture,
      place,
      UPLOAD_STEPS.disk,
      torture.judgesSpeed ? undefined : SIZE_IN_QUICK_FORM,
    );
    const found = await sweepAndFind(place.env, place.uploads.acknowledged);
    return [order, killRow('on disk', killed, found, torture.count * UPLOAD_STEPS.disk.length)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where a run's servers keep their data, and who uploads. */
export interface TorturePlace {
  env: Record<string, string>;
  dataDir: string;
  uploads: SymbolUploads;
}

/** Starts and stops a first server, which migrates the database, creates the owner and accepts one upload. */
export async function openPlace(
  torture: TortureContext,
  folder: string,
  settings: Record<string, string>,
  command?: string[],
): Promise<TorturePlace> {
  const dataDir = join(folder, 'data');
  const databaseUrl = await torture.createDatabase();
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ROLE: 'api', LOG_LEVEL: 'error', ...settings };
  const server = await startHooked(torture, dataDir, env, command);
  const { tokens } = await server.firstRun();
  const uploads = new SymbolUploads(tokens.owner);
  await uploads.send(server);
  await server.end();
  return { env: { ...env, FIRST_RUN: 'off' }, dataDir, uploads };
}

/** What became of the servers that were to die at a step: how many did, and what the others answered instead. */
export interface KillCount {
  kills: number;
  survived: string[];
}

/** Each server acknowledges one upload and dies during the second. */
export async function killAtSteps(
  torture: TortureContext,
  place: TorturePlace,
  steps: readonly string[],
  size?: number,
): Promise<KillCount> {
  const waiting = steps.flatMap((step) => Array.from({ length: torture.count }, () => step));
  const result: KillCount = { kills: 0, survived: [] };
  const lane = async (): Promise<void> => {
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
      const settings = { [STEP_SETTINGS.step]: step, [STEP_SETTINGS.upload]: '2', [STEP_SETTINGS.log]: '' };
      const server = await startHooked(torture, place.dataDir, { ...place.env, ...settings });
      const answers = [await place.uploads.send(server, size), await place.uploads.send(server, size)];
      const ending = answers[1] === null ? await server.end('SIGCONT') : await server.end();
      if (answers[0] === 201 && answers[1] === null && ending === 'SIGKILL') result.kills += 1;
      else result.survived.push(`${step}: ${answers.join(', ')}, ended with ${ending}`);
      if (result.kills % 20 === 0) torture.log(`${result.kills} kills, ${waiting.length} to go`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return result;
}

/** The table row for one place. */
export function killRow(where: string, killed: KillCount, found: StoredFindings, expected: number): TortureRow {
  const survivors = killed.survived.length === 0 ? '' : `; not killed: ${killed.survived.join('; ')}`;
  return {
    promise: `a 201 for a symbol ${where} is durable, and after the sweep there is no object without row, no row without object`,
    seen: `${killed.kills} kills at named steps, ${findingsText(found)}${survivors}`,
    held: killed.kills === expected && found.acknowledged > 0 && found.faults === 0,
  };
}

async function startHooked(
  torture: TortureContext,
  dataDir: string,
  env: Record<string, string>,
  command?: string[],
): Promise<ServerProcess> {
  return torture.startServer({
    dataDir,
    env: { ...env, PORT: String(await freePort()) },
    nodeArguments: ['--import', HOOK],
    ...(command ? { command } : {}),
  });
}

/** The order in which an upload became durable: by the process's calls, and by its system calls if they were traced. */
async function orderRow(log: string, trace: string): Promise<TortureRow> {
  const calls = (await readFile(log, 'utf8')).split('\n').filter((line) => line.startsWith('1 '));
  const noted = calls.map((line) => line.slice(2)).filter((call, at, all) => call !== all[at - 1]);
  const traced = await readFile(trace, 'utf8').catch(() => null);
  const orders = traced === null ? [noted] : [noted, durableOrderOf(traced)];
  return {
    promise: `an upload on disk is ${DURABLE_ORDER.join(' → ')}`,
    seen: orders.map((order) => order.join(' → ')).join(' and, as system calls, '),
    held: orders.every((order) => order.join() === DURABLE_ORDER.join()),
  };
}
