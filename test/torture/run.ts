/**
 * `npm run torture` performs every torture run with its usual count, and `npm run torture -- ingest-server-kill 200
 * webhooks` only those named, each with the count that follows it. `npm run torture -- list` names them. `npm run
 * torture -- publish A.json B.json` puts saved runs into docs/reliability.md: each promise replaces its earlier result,
 * and the later file wins. Exits with 1 if a promise did not hold.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importAll } from '../harness/discover.js';
import { writeDocumentBlock } from '../harness/document-block.js';
import { createEmptyDatabase, dropDatabase } from '../harness/fresh-databases.js';
import { type ServerProcess, startServerProcess } from '../harness/server-process.js';
import { type RunDatabase, startRunDatabase } from '../runner/database.js';
import type { TortureContext, TortureRow } from './torture.js';

interface Torture {
  name: string;
  usualCount: number;
  run(torture: TortureContext): Promise<TortureRow[]>;
}

const folder = dirname(fileURLToPath(import.meta.url));
const resultsFolder = join(folder, '../../../bench-results');

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const isCount = (word: string | undefined): word is string => word !== undefined && /^\d+$/.test(word);

/** The chosen runs with their counts: a number belongs to the name before it. Exits if a word is neither. */
function chosenFrom(all: readonly Torture[], words: readonly string[]): { torture: Torture; count: number }[] {
  if (words.length === 0) return all.map((torture) => ({ torture, count: torture.usualCount }));
  const names = all.map(({ name }) => name);
  const unknown = words.filter((word, at) => !names.includes(word) && !(at > 0 && isCount(word)));
  if (unknown.length > 0) {
    say(`No torture run is called ${unknown.join(' or ')}; there are: ${names.join(', ')}`);
    process.exit(1);
  }
  return words.flatMap((word, at) => {
    const torture = all.find(({ name }) => name === word);
    const next = words[at + 1];
    return torture ? [{ torture, count: isCount(next) ? Number(next) : torture.usualCount }] : [];
  });
}

async function endure(torture: Torture, count: number, database: RunDatabase): Promise<TortureRow[]> {
  const servers: ServerProcess[] = [];
  const databases: string[] = [];
  const context: TortureContext = {
    count,
    databaseUrl: database.url,
    createDatabase: async () => {
      const url = await createEmptyDatabase(database.url);
      databases.push(url);
      return url;
    },
    startServer: async (options) => {
      const server = await startServerProcess(options);
      servers.push(server);
      return server;
    },
    judgesSpeed: true,
    log: (line) => say(`  ${line}`),
  };
  try {
    return await torture.run(context);
  } catch (error) {
    return [
      {
        promise: torture.name,
        seen: error instanceof Error ? (error.stack ?? error.message) : String(error),
        held: false,
      },
    ];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const url of databases) await dropDatabase(url);
  }
}

/** The table of docs/reliability.md with these rows replacing those with the same promises, or appended. */
function tableWith(before: string, rows: readonly TortureRow[]): string {
  const [, , ...kept] = before.split('\n');
  const lines = new Map(kept.map((line) => [line.split(' | ')[0], line]));
  for (const { promise, seen, held } of rows)
    lines.set(`| ${promise}`, `| ${promise} | ${seen.split('\n')[0]} | ${held ? '✓' : '✘'} |`);
  return ['| promise | seen | held |', '| --- | --- | --- |', ...lines.values()].join('\n');
}

const all = await importAll<Torture>(folder, '.torture.js');
const words = process.argv.slice(2);
if (words[0] === 'list') {
  for (const { name, usualCount } of all) say(`${name} ${usualCount}`);
  process.exit(0);
}
if (words[0] === 'publish' && words[1]) {
  const kept: Record<string, TortureRow[]> = {};
  for (const file of words.slice(1)) Object.assign(kept, JSON.parse(readFileSync(file, 'utf8')));
  writeDocumentBlock('reliability.md', 'torture', (before) => tableWith(before, Object.values(kept).flat()));
  process.exit(0);
}
const chosen = chosenFrom(all, words);
const results: Record<string, TortureRow[]> = {};
const database = await startRunDatabase();
// Servers end with the process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void database.stop().finally(() => process.exit(130)));
try {
  for (const { torture, count } of chosen) {
    say(`\n## ${torture.name} ${count}`);
    const rows = await endure(torture, count, database);
    results[torture.name] = rows;
    for (const { promise, seen, held } of rows) say(`${held ? '•' : '✘'} ${promise}: ${seen}`);
  }
} finally {
  await database.stop();
}
mkdirSync(resultsFolder, { recursive: true });
const file = join(resultsFolder, `torture-${new Date().toISOString().replaceAll(':', '-').replace(/\..*$/, '')}.json`);
writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
const failed = Object.values(results)
  .flat()
  .filter(({ held }) => !held).length;
say(`\n${Object.values(results).flat().length - failed} promises held, ${failed} did not; kept in ${file}`);
process.exit(failed === 0 ? 0 : 1);
