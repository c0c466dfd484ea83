import { randomInt } from 'node:crypto';
import { startRunDatabase } from '../runner/database.js';
import type { LogLine } from '../support/test-app.js';

const ROUNDS = 5_000;

/**
 * `npm run hostile -- fuzz [rounds] [seed]`: the fuzz test with more rounds and a seed of its own, which is printed.
 *
 * @returns the exit code.
 */
export async function fuzz([
  rounds = String(ROUNDS),
  seed = String(randomInt(2 ** 31)),
]: readonly string[]): Promise<number> {
  const database = await startRunDatabase();
  process.env.TEST_DATABASE_URL = database.url;
  const { openTestApp } = await import('../support/test-app.js');
  const { fuzzRest } = await import('../fuzz/fuzz-rest.js');
  const { sendHostile } = await import('../fuzz/hostile-rest.js');
  const log: LogLine[] = [];
  const test = await openTestApp({ onLog: (line) => log.push(line) });
  process.stdout.write(`seed ${seed}, ${rounds} rounds\n`);
  try {
    const { requests, succeeded } = await fuzzRest(test, { seed: Number(seed), rounds: Number(rounds) });
    process.stdout.write(
      `${requests} requests were answered as openapi.json says; ${succeeded.size} operations succeeded\n`,
    );
    const hostile = await sendHostile(test, log, { seed: Number(seed) });
    for (const fault of hostile.faults) process.stdout.write(`✘ ${fault}\n`);
    process.stdout.write(`${hostile.requests} requests with one thing wrong: ${hostile.faults.length} faults\n`);
    return hostile.faults.length === 0 ? 0 : 1;
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await test.close();
    await database.stop();
  }
}
