import type { Pool } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boundedPool } from '../../src/kernel/database/bounded-pool.js';
import { dropForgottenConnections } from '../../src/kernel/database/forgotten-connections.js';
import { boundReading, reachedReadingLimit, withReadingBudget } from '../../src/kernel/database/reading-budget.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { stallingDatabase } from '../support/stalling-database.js';
import { until } from '../support/until.js';

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

x('a statement whose connection the database has forgotten fails; one that only takes long does not', async () => {
  const stalling = await stallingDatabase(database.url, 'as never_answered');
  const other = boundedPool({ connectionString: stalling.url, max: 2 });
  other.on('error', () => undefined);
  dropForgottenConnections(other, database.url, 100);
  const long = other.query('select pg_sleep(1)');
  const forgotten = other.query('select pg_backend_pid() as never_answered').catch((error: Error) => error.message);
  await until('the silence', () => stalling.hasStalled);
  await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where query like '%never_answered'");
  assert.match(String(await forgotten), 'the database no longer knows this connection');
  assert.is((await long).rowCount, 1);
  await other.end();
  await stalling.close();
});

x('statements fail when the database has stopped answering altogether', async () => {
  const stalling = await stallingDatabase(database.url, 'as never_answered');
  const other = boundedPool({ connectionString: stalling.url, max: 1 });
  other.on('error', () => undefined);
  const nobody = new URL(database.url);
  nobody.host = '127.0.0.1:1';
  dropForgottenConnections(other, nobody.href, 100);
  const answer = other.query('select 1 as never_answered').catch((error: Error) => error.message);
  assert.match(String(await answer), 'the database does not answer');
  await other.end();
  await stalling.close();
});

x.run();
