import type { Pool } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boundedPool } from '../../src/kernel/database/bounded-pool.js';
import { boundReading, reachedReadingLimit, withReadingBudget } from '../../src/kernel/database/reading-budget.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

const x = suite('pools of connections');

let database: TestDatabase;
let pool: Pool;

x.before(async () => {
  database = await createEmptyDatabase();
  pool = boundedPool({ connectionString: database.url, max: 1 });
  pool.on('error', () => undefined);
});
x.after(async () => {
  await pool?.end();
  await database?.drop();
});

const READING_MS = 500;
const sleep = (seconds: number) => pool.query('select pg_sleep($1)', [seconds]);
const sleepBounded = (seconds: number) =>
  withReadingBudget(() => {
    boundReading({ bytes: 1_000_000, milliseconds: READING_MS });
    return sleep(seconds);
  });

x('a statement that waited for a connection does not get the time budget of the request that released it', async () => {
  const [, waited] = await Promise.allSettled([sleepBounded(0), sleep((2 * READING_MS) / 1000)]);
  assert.is(waited.status, 'fulfilled', String((waited as PromiseRejectedResult).reason));
});

x('a statement that waited behind one without a time budget keeps its own', async () => {
  const [, waited] = await Promise.allSettled([sleep(0), sleepBounded(600)]);
  assert.equal(waited.status === 'rejected' && reachedReadingLimit(waited.reason), {
    what: 'milliseconds',
    limit: READING_MS,
  });
});

x.run();
