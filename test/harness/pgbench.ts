import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PgbenchOrder {
  databaseUrl: string;
  /** The transaction, in pgbench's language. */
  script: string;
  /** Variables of each client that are 0 at first. */
  counters?: readonly string[];
  clients: number;
  seconds: number;
}

/** Transactions a second that pgbench reaches with prepared statements; null where it is not installed. */
export async function runPgbench({
  databaseUrl,
  script,
  counters = [],
  clients,
  seconds,
}: PgbenchOrder): Promise<number | null> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-pgbench-'));
  try {
    const file = join(folder, 'transaction.sql');
    await writeFile(file, script);
    const output = await outputOf('pgbench', [
      ...['--no-vacuum', '--protocol=prepared', `--file=${file}`],
      ...counters.map((counter) => `--define=${counter}=0`),
      ...[`--client=${clients}`, '--jobs=1', `--time=${seconds}`, databaseUrl],
    ]);
    return output === null ? null : Number(/^tps = ([\d.]+)/m.exec(output)?.[1] ?? Number.NaN);
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
