/**
 * `npm run bench` runs every bench and `npm run bench -- handshake batch` only those named. `npm run bench -- list`
 * lists them, `npm run bench -- compare A.json B.json` compares two runs, and `npm run bench -- publish A.json B.json`
 * puts the tables of runs into docs/performance.md and leaves the others there as they are. Prints a table per bench,
 * saves the run in bench-results/ and exits with 0 whatever the results. Settings: BENCH_ROUNDS (5), BENCH_SECONDS (3),
 * TEST_DATABASE_URL (by default, a PostgreSQL of its own).
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postmasterPid } from '../harness/cpu.js';
import { importAll } from '../harness/discover.js';
import { writeDocumentBlock } from '../harness/document-block.js';
import { createEmptyDatabase, dropDatabase } from '../harness/fresh-databases.js';
import { type ServerProcess, startServerProcess } from '../harness/server-process.js';
import { type RunDatabase, startRunDatabase } from '../runner/database.js';
import type { BenchContext, BenchRow } from './bench.js';
import { compareRuns, newRun, readRun, saveRun, tableOf, withRun } from './results.js';

interface Bench {
  name: string;
  run(bench: BenchContext): Promise<BenchRow[]>;
}

const folder = dirname(fileURLToPath(import.meta.url));
const resultsFolder = join(folder, '../../../bench-results');
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measure(bench: Bench, database: RunDatabase): Promise<BenchRow[]> {
  const servers: ServerProcess[] = [];
  const databases: string[] = [];
  const createDatabase = async (): Promise<string> => {
    const url = await createEmptyDatabase(database.url);
    databases.push(url);
    return url;
  };
  const context: BenchContext = {
    rounds,
    seconds,
    databaseUrl: database.url,
    databasePid: await postmasterPid(database.url),
    createDatabase,
    startServer: async (options = {}) => {
      const env = { NODE_ENV: 'production', DATABASE_URL: options.env?.DATABASE_URL ?? (await createDatabase()) };
      const server = await startServerProcess({ ...options, env: { ...env, ...options.env } });
      servers.push(server);
      return server;
    },
    log: (line) => say(`  ${line}`),
  };
  try {
    return await bench.run(context);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const url of databases) await dropDatabase(url);
  }
}

async function measureAll(benches: readonly Bench[]): Promise<void> {
  const run = newRun(rounds, seconds);
  const database = await startRunDatabase();
  try {
    for (const bench of benches) {
      say(`\n## ${bench.name}`);
      try {
        const rows = await measure(bench, database);
        run.rows[bench.name] = rows;
        say(tableOf(rows));
      } catch (error) {
        run.failures[bench.name] = error instanceof Error ? (error.stack ?? error.message) : String(error);
        say(`not measured: ${run.failures[bench.name]}`);
      }
    }
  } finally {
    await database.stop();
  }
  say(`\nkept in ${saveRun(resultsFolder, run)}`);
}

const [command, ...rest] = process.argv.slice(2);
const benches = await importAll<Bench>(folder, '.bench.js');
if (command === 'compare' && rest[0] && rest[1]) {
  say(compareRuns(readRun(rest[0]), readRun(rest[1])));
} else if (command === 'publish' && rest[0]) {
  writeDocumentBlock('performance.md', 'bench', (before) => rest.map(readRun).reduce(withRun, before));
} else if (command === 'list') {
  for (const bench of benches) say(bench.name);
} else {
  const wanted = process.argv.slice(2);
  const names = benches.map(({ name }) => name);
  const unknown = wanted.filter((word) => !names.includes(word));
  if (unknown.length > 0) {
    say(`No bench is called ${unknown.join(' or ')}; there are: ${names.join(', ')}`);
    process.exit(1);
  }
  await measureAll(benches.filter(({ name }) => wanted.length === 0 || wanted.includes(name)));
}
process.exit(0);
