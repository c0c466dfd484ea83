/**
 * `npm run hostile`: starts the server, creates the fixture and sends it the corpus of bad inputs in ../shared/checks.
 * `npm run hostile -- --group batch` sends one group, `-- --heavy` includes the large and slow ones. The exit code is
 * the corpus's. `npm run hostile -- fuzz [graphql|rest] [most] [seed]` instead sends requests generated from the schema
 * or from openapi.json; `-- fuzz targeting [cases] [seed]` compares the rule evaluator with a naive one.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase, dropDatabase } from '../harness/fresh-databases.js';
import { startServerProcess } from '../harness/server-process.js';
import { startThrowawayDatabase } from '../runner/database.js';
import { sharedCorpus } from '../runner/shared-suite.js';
import { buildBadInputFixture } from '../support/bad-inputs/bad-input-fixture.js';
import { fuzz } from './fuzz.js';
import { fuzzTargeting } from './fuzz-targeting.js';

const corpus = join(sharedCorpus, 'checks');
const jwtSecret = 'the secret of the bad-input fixture, which forged tokens are signed with';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a program with our output, without blocking, so that the server's own output is read meanwhile. */
function run(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function sendCorpus(folder: string, databaseUrl: string): Promise<number> {
  const server = await startServerProcess({
    env: {
      DATABASE_URL: databaseUrl,
      JWT_SECRET: jwtSecret,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
    },
  });
  try {
    const target = { baseUrl: server.url, databaseUrl, jwtSecret, firstRun: await server.firstRun() };
    const fixture = await buildBadInputFixture(target, (part, error) =>
      say(`the fixture lacks its part ${part}: ${error instanceof Error ? error.message : String(error)}`),
    );
    const fixtureFile = join(folder, 'fixture.json');
    await writeFile(fixtureFile, JSON.stringify(fixture, null, 2), { mode: 0o600 });
    const symbolFiles = join(folder, 'bad-symbol-files');
    await run('python3', [join(corpus, 'gen-bad-symbol-files.py'), symbolFiles]);
    const args = ['--base', server.url, '--fixture', fixtureFile, '--symbol-files', symbolFiles];
    const code = await run(process.execPath, [join(corpus, 'run-badinputs.mjs'), ...args, ...process.argv.slice(2)]);
    const logged = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    if (logged.length > 0)
      say(
        `the server logged ${logged.length} warnings or errors; the last:\n${logged
          .slice(-5)
          .map((line) => line.slice(0, 300))
          .join('\n')}`,
      );
    return code;
  } finally {
    await server.stop();
  }
}

async function main(): Promise<number> {
  const [mode, ...rest] = process.argv.slice(2);
  if (mode === 'fuzz' && rest[0] === 'targeting') return fuzzTargeting(rest.slice(1));
  if (mode === 'fuzz') return fuzz(rest);
  if (mode !== undefined && !mode.startsWith('-')) {
    say(`Hostile requests do not know ${mode}; there are: fuzz, --group NAME, --heavy`);
    return 1;
  }
  if (!existsSync(join(corpus, 'run-badinputs.mjs'))) {
    say('The corpus of bad inputs is not here: ../shared/checks/run-badinputs.mjs is missing.');
    return 1;
  }
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-hostile-'));
  const database = await startThrowawayDatabase();
  const databaseUrl = await createEmptyDatabase(database.url);
  try {
    return await sendCorpus(folder, databaseUrl);
  } finally {
    await dropDatabase(databaseUrl);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

process.exit(await main());
