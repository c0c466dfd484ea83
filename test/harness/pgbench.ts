import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PgbenchOrder {
  databaseUrl: string;
  /** The transaction, in pgbench's language. */
  script: string;
  /** Per-client variables that start at 0. */
  counters?: readonly string[];
  clients: number;
  seconds: number;
}

/** Transactions per second that pgbench reaches with prepared statements; null if it is not installed. */
export function runPgbench(order: PgbenchOrder): Promise<number | null> {
  return withScript(order, async (_folder, words) => {
    const output = await outputOf('pgbench', words);
    return output === null ? null : Number(/^tps = ([\d.]+)/m.exec(output)?.[1] ?? Number.NaN);
  });
}

/**
 * The duration of each transaction in ascending milliseconds, at the given rate, including the wait for a free client;
 * null if pgbench is not installed.
 */
export function pgbenchLatencies(order: PgbenchOrder & { perSecond: number }): Promise<number[] | null> {
  return withScript(order, async (folder, words) => {
    const log = ['--log', `--log-prefix=${join(folder, 'log')}`, `--rate=${order.perSecond}`];
    if ((await outputOf('pgbench', [...log, ...words])) === null) return null;
    const files = (await readdir(folder)).filter((name) => name.startsWith('log'));
    const logs = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    // The third column is in microseconds.
    const lines = logs.flatMap((text) => text.trim().split('\n'));
    return lines.map((line) => Number(line.split(' ')[2]) / 1_000).sort((a, b) => a - b);
  });
}

async function withScript<T>(
  { databaseUrl, script, counters = [], clients, seconds }: PgbenchOrder,
  work: (folder: string, words: string[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-pgbench-'));
  try {
    const file = join(folder, 'transaction.sql');
    await writeFile(file, script);
    return await work(folder, [
      ...['--no-vacuum', '--protocol=prepared', `--file=${file}`],
      ...counters.map((counter) => `--define=${counter}=0`),
      ...[`--client=${clients}`, '--jobs=1', `--time=${seconds}`, databaseUrl],
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function outputOf(command: string, parameters: string[]): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let complaints = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints += text;
    });
    child.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(null) : reject(error)));
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`${command}: ${complaints}`))));
  });
}
