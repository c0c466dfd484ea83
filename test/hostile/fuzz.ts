import { randomInt } from 'node:crypto';
import { startThrowawayDatabase } from '../runner/database.js';
import type { LogLine, TestApp } from '../support/test-app.js';

const REST_ROUNDS = 5_000;

interface Run {
  seed: number;
  /** The number of rounds for REST or of requests for GraphQL; undefined if omitted. */
  most: number | undefined;
  log: readonly LogLine[];
  say: (line: string) => void;
}

/** Sends requests to one API and returns what was wrong. */
type Fuzzer = (test: TestApp, run: Run) => Promise<readonly string[]>;

const FUZZERS: Readonly<Record<string, Fuzzer>> = {
  async rest(test, { seed, most = REST_ROUNDS, log, say }) {
    const { fuzzRest } = await import('./fuzz-rest.js');
    const { sendHostile } = await import('./hostile-rest.js');
    const { requests, succeeded } = await fuzzRest(test, { seed, rounds: most });
    say(`${requests} requests were answered as openapi.json says; ${succeeded.size} operations succeeded`);
    const hostile = await sendHostile(test, log, { seed });
    say(`${hostile.requests} requests with one thing wrong`);
    return hostile.faults;
  },
  async graphql(test, { seed, most = Number.POSITIVE_INFINITY, log, say }) {
    const { fuzzGraphql } = await import('./fuzz-graphql.js');
    const { requests, possible, succeeded, faults } = await fuzzGraphql(test, { seed, requests: most, log });
    say(`${requests} of ${possible} requests with one hostile value; ${succeeded.size} operations succeeded`);
    return faults;
  },
};

/**
 * `npm run hostile -- fuzz [graphql|rest] [most] [seed]`: the fuzz test of one API with more rounds or requests and its
 * own seed, which is printed. For GraphQL, it sends all possible requests if `most` is omitted, which takes hours.
 *
 * @returns the exit code.
 */
export async function fuzz(args: readonly string[]): Promise<number> {
  const [first = 'rest'] = args;
  const named = Object.hasOwn(FUZZERS, first);
  if (!named && !/^\d+$/.test(first)) {
    process.stdout.write(`No face is called ${first}; there are: ${Object.keys(FUZZERS).join(', ')}, targeting\n`);
    return 1;
  }
  const [face = 'rest', most, seed = String(randomInt(2 ** 31))] = named && args.length > 0 ? args : ['rest', ...args];
  const database = await startThrowawayDatabase();
  process.env.TEST_DATABASE_URL = database.url;
  const { openTestApp } = await import('../support/test-app.js');
  const log: LogLine[] = [];
  const test = await openTestApp({
    worker: face === 'graphql',
    settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    onLog: (line) => log.push(line),
  });
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  say(`${face}, seed ${seed}`);
  try {
    const run = { seed: Number(seed), most: most === undefined ? undefined : Number(most), log, say };
    const faults = await (FUZZERS[face] as Fuzzer)(test, run);
    for (const fault of faults) say(`✘ ${fault}`);
    say(`${faults.length} faults`);
    return faults.length === 0 ? 0 : 1;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await test.close();
    await database.stop();
  }
}
