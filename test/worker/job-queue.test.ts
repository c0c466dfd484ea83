import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import * as assert from 'uvu/assert';
import { JOB_KINDS, type JobKind } from '../../src/jobs/catalog.js';
import { type JobHandlers, JobQueue } from '../../src/jobs/job-queue.js';
import { systemCaller } from '../../src/kernel/context.js';
import { createLogger } from '../../src/kernel/logger.js';
import { appSuite } from '../support/factories/world-suite.js';
import { until } from '../support/until.js';

const queue = appSuite('the job queue');

const KIND = 'catch.symbolicate_events';

/** The queue's time limit, and how long each of its slow jobs takes. */
const [QUEUE_SECONDS, SLOW_MS] = [6, 2_100];
const calls: string[] = [];

/** Handlers that record the projects they were called for; `bad` fails, and those called `slow` take their time. */
function noting(): JobHandlers {
  const none = Object.keys(JOB_KINDS).map((kind) => [kind, async () => undefined]);
  const handlers = Object.fromEntries(none) as Record<JobKind, unknown>;
  handlers[KIND] = async ({ projectId }: { projectId: string }) => {
    calls.push(projectId);
    if (projectId.startsWith('slow')) await sleep(SLOW_MS);
    if (projectId === 'bad') throw new Error('a bad project');
  };
  return handlers as JobHandlers;
}

queue('does once what came due while no worker was running, however long', async ({ test }) => {
  const done = new Map<string, number>();
  const handlers = Object.keys(JOB_KINDS).map((kind) => [
    kind,
    async () => void done.set(kind, (done.get(kind) ?? 0) + 1),
  ]);
  const run = async () => {
    const worker = await JobQueue.open(test.databaseUrl, true, createLogger('silent'));
    await worker.work(Object.fromEntries(handlers) as JobHandlers);
    return worker;
  };
  await (await run()).close();
  await test.app.pool.query(`update pgboss.schedule set created_on = now() - interval '90 days'`);
  await test.app.pool.query(`update pgboss.version set cron_on = now() - interval '60 days'`);
  // Those of about this hour may be due now as well.
  const now = new Date().getUTCHours();
  const nightly = Object.entries(JOB_KINDS).flatMap(([kind, { policy }]) => {
    const [, hour] = 'schedule' in policy ? (policy.schedule?.split(' ') ?? []) : [];
    return Number(hour) >= 0 && Math.abs(Number(hour) - now) > 1 ? [kind] : [];
  });
  assert.ok(nightly.length > 0);
  done.clear();
  const worker = await run();
  try {
    await until('the work of the missed nights is done', () => nightly.every((kind) => done.has(kind)));
    const { rows } = await test.app.pool.query<{ jobs: number }>(
      'select count(*)::int as jobs from pgboss.job where name = any($1)',
      [nightly],
    );
    assert.is(rows[0]?.jobs, nightly.length);
  } finally {
    await worker.close();
  }
});

queue('keeps what waits for a worker however long there is none', async ({ test }) => {
  const { pool, parts } = test.app;
  await parts.tx.write(systemCaller('test'), (ctx) =>
    parts.jobs.enqueue(ctx, KIND, { projectId: 'of long ago', environment: 'live' }),
  );
  const waiting = `name = '${KIND}' and data->>'projectId' = 'of long ago'`;
  await pool.query(`update pgboss.job set created_on = created_on - interval '2 years', start_after = start_after - interval '2 years',
    keep_until = keep_until - interval '2 years' where ${waiting}`);
  await pool.query(`update pgboss.queue set maintain_on = now() - interval '2 years'`);
  const library = new PgBoss({ connectionString: test.databaseUrl, max: 1, supervise: false, schedule: false });
  await library.start();
  await library.supervise();
  await library.stop({ graceful: false });
  assert.is((await pool.query(`select from pgboss.job where ${waiting}`)).rowCount, 1);
  const worker = await JobQueue.open(test.databaseUrl, true, createLogger('silent'));
  await worker.work(noting());
  await until('it is done', () => calls.includes('of long ago'));
  await worker.close();
  await pool.query(`delete from pgboss.job where ${waiting}`);
  calls.length = 0;
});

queue('on closing, hands back running and claimed jobs, each with its remaining attempts', async ({ test }) => {
  const kind = 'catch.delete_old_profiles';
  const closed = await JobQueue.open(test.databaseUrl, true, createLogger('silent'));
  await test.app.parts.tx.write(systemCaller('test'), async (ctx) => {
    for (const projectId of ['tried', 'fresh']) await closed.enqueue(ctx, kind, { projectId, environment: 'live' });
  });
  await test.app.pool.query(`update pgboss.job set retry_count = 2 where name = $1 and data->>'projectId' = 'tried'`, [
    kind,
  ]);
  // They are claimed together, in any order.
  const begun = Promise.withResolvers<{ projectId: string; signal: AbortSignal }>();
  const none = Object.keys(JOB_KINDS).map((name) => [name, async () => undefined]);
  const endless = ({ projectId }: { projectId: string }, signal: AbortSignal) => {
    begun.resolve({ projectId, signal });
    return new Promise(() => undefined);
  };
  await closed.work({ ...Object.fromEntries(none), [kind]: endless } as JobHandlers);
  const { projectId, signal } = await begun.promise;
  await closed.close();
  assert.ok(signal.aborted);
  const { rows } = await test.app.pool.query(
    `select data->>'projectId' as project, retry_limit as left, retry_count as spent, start_after <= now() as due
       from pgboss.job where name = $1 and state = 'created' order by 1`,
    [kind],
  );
  assert.equal(rows, [
    { project: 'fresh', left: 3, spent: 0, due: projectId !== 'fresh' },
    { project: 'tried', left: 1, spent: 0, due: projectId !== 'tried' },
  ]);
});

queue('runs once for all waiting jobs with the same payload, and fails only those that failed', async ({ test }) => {
  const { jobs, tx } = test.app.parts;
  const projects = ['a', 'b', 'bad', 'c'];
  for (let round = 0; round < 25; round++) {
    await tx.write(systemCaller('test'), async (ctx) => {
      for (const projectId of projects) await jobs.enqueue(ctx, KIND, { projectId, environment: 'live' });
    });
  }
  await jobs.work(noting());
  const completed = async () => {
    const { rows } = await test.app.pool.query<{ project: string; jobs: number }>(
      `select data->>'projectId' as project, count(*)::int as jobs
         from pgboss.job where name = $1 and state = 'completed' group by 1 order by 1`,
      [KIND],
    );
    return rows.map(({ project, jobs }) => `${project} ${jobs}`);
  };
  await until('jobs of three projects are completed', async () => (await completed()).length === 3);
  assert.equal(await completed(), ['a 25', 'b 25', 'c 25']);
  assert.equal(calls.filter((project) => project !== 'bad').sort(), ['a', 'b', 'c']);
});

queue('hands back in time what it claimed and cannot do within the time of a job', async ({ test }) => {
  const { jobs, tx } = test.app.parts;
  await test.app.pool.query('update pgboss.queue set expire_seconds = $2 where name = $1', [KIND, QUEUE_SECONDS]);
  const projects = ['slow 1', 'slow 2', 'slow 3', 'slow 4'];
  await tx.write(systemCaller('test'), async (ctx) => {
    for (const projectId of projects) await jobs.enqueue(ctx, KIND, { projectId, environment: 'live' });
  });
  await until('all have been done', async () => {
    const { rows } = await test.app.pool.query<{ open: number }>(
      `select count(*) filter (where state <> 'completed')::int as open from pgboss.job where name = $1 and data->>'projectId' like 'slow%'`,
      [KIND],
    );
    return rows[0]?.open === 0;
  });
  assert.equal(calls.filter((project) => project.startsWith('slow')).sort(), projects);
});

queue('leaves jobs of kinds that only a newer version knows to its workers', async ({ test }) => {
  const newer = new PgBoss({ connectionString: test.databaseUrl, max: 1, supervise: false, schedule: false });
  await newer.start();
  try {
    await newer.createQueue('future.kind');
    const id = await newer.send('future.kind', { of: 'tomorrow' });
    const { jobs, tx } = test.app.parts;
    await tx.write(systemCaller('test'), (ctx) => jobs.enqueue(ctx, KIND, { projectId: 'later', environment: 'live' }));
    const stateOf = async (condition: string, value: unknown) => {
      const { rows } = await test.app.pool.query(`select state from pgboss.job where ${condition}`, [value]);
      return rows[0]?.state;
    };
    const later = () => stateOf(`data->>'projectId' = $1`, 'later');
    await until('the job is completed', async () => (await later()) === 'completed');
    assert.is(await stateOf('id = $1', id), 'created');
  } finally {
    await newer.stop({ graceful: false });
  }
});

queue.run();
