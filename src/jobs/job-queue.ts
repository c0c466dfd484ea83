import { once } from 'node:events';
import { fromKysely, type Job, type JobResult, PgBoss } from 'pg-boss';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { Context } from '../kernel/context.js';
import type { Logger } from '../kernel/logger.js';
import { JOB_KINDS, type JobKind, type JobPayload } from './catalog.js';

/** The handler of a kind of job; if it rejects, the job is retried by its policy. `signal` aborts when its time is up. */
export type JobHandler<K extends JobKind> = (payload: JobPayload<K>, signal: AbortSignal) => Promise<unknown>;
export type JobHandlers = { [K in JobKind]: JobHandler<K> };

/**
 * A job whose worker was killed runs again, by its policy, once the worker has been silent for the first duration and the second has
 * passed.
 */
const HEARTBEAT_SECONDS = 30;
const SUPERVISE_SECONDS = 15;

/**
 * The share of a batch's time limit after which no further payload is started. The library counts all of its jobs as failed once the limit
 * is reached.
 */
const BEGINNING_PART = 2 / 3;

/** A process has 10 s to shut down, of which deliveries may take 3; jobs still running then are handed to another process. */
const STOP_GRACE_MS = 3_000;

/** The library counts running jobs as failed after this; by then they have been handed over. */
const LIBRARY_GRACE_MS = STOP_GRACE_MS + 1_000;

/** Work waits for a worker however long there is none: the library would delete it after two weeks. */
const WAITING_SECONDS = 20 * 365 * 86_400;

const LEFT = Symbol('left');
type Left = typeof LEFT;

const KINDS = Object.entries(JOB_KINDS) as [JobKind, (typeof JOB_KINDS)[JobKind]][];

/** Jobs in PostgreSQL (pg-boss), enqueued in the transaction of the change that needs them. */
export class JobQueue {
  private readonly stopping = new AbortController();
  private readonly graceOver = new AbortController();

  private constructor(
    private readonly boss: PgBoss,
    private readonly logger: Logger,
  ) {}

  /** Connects and installs the queues; `runs` says whether this process also runs jobs and schedules. */
  static async open(databaseUrl: string, runs: boolean, logger: Logger): Promise<JobQueue> {
    const boss = new PgBoss({
      connectionString: databaseUrl,
      max: runs ? 4 : 1,
      supervise: runs,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      schedule: runs,
      connectionTimeoutMillis: 5_000,
      useListenNotify: runs,
    });
    boss.on('error', (error: unknown) => logger.error({ err: error }, 'the job queue reported an error'));
    await boss.start();
    await installQueues(boss);
    return new JobQueue(boss, logger);
  }

  /** Enqueues a job in the verb's transaction: it exists only if the change does. */
  async enqueue<K extends JobKind>(ctx: Context, kind: K, payload: JobPayload<K>): Promise<void> {
    // The library's types are from another Kysely release.
    await this.boss.send(kind, payload, { db: fromKysely(ctx.em.getKysely() as never) });
  }

  /** Runs jobs until {@link close}; a payload that doesn't match its kind fails without running. */
  async work(handlers: JobHandlers): Promise<void> {
    for (const [kind, { payload: shape, policy }] of KINDS) {
      const handler = handlers[kind] as JobHandler<JobKind>;
      const batchSize = 'together' in policy ? policy.together : 1;
      const polling = { pollingIntervalSeconds: 2, batchSize, perJobResults: true } as const;
      const worker: string = await this.boss.work(kind, polling, async (jobs) => {
        // Several notifications at once wake the library once, for one fetch: look for the next job immediately.
        this.boss.notifyWorker(worker);
        const until = performance.now() + Math.min(...jobs.map((job) => job.expireInSeconds)) * 1000 * BEGINNING_PART;
        const results: JobResult[] = [];
        const groups = groupedByPayload(jobs);
        for (const [at, same] of groups.entries()) {
          // The library has taken these back; results for them no longer count.
          if (same.every(({ signal }) => signal.aborted)) continue;
          const handOn = async (delay: number) => [
            ...results,
            ...(await this.queueAnew(kind, groups.slice(at), delay)),
          ];
          if (this.stopping.signal.aborted || performance.now() > until) return handOn(0);
          const error = await this.unlessLeft(this.attempt(kind, shape, same, handler));
          // A handler that runs until this process ends isn't started a second time.
          if (error === LEFT) return handOn(policy.delay);
          for (const { id } of same)
            results.push(error ? { id, status: 'failed', output: error } : { id, status: 'completed' });
        }
        return results;
      });
      // A server that is off at night still does once what it missed.
      const options = { tz: 'UTC', missed: 'once' } as const;
      if ('schedule' in policy && policy.schedule) await this.boss.schedule(kind, policy.schedule, {}, options);
    }
  }

  /**
   * Requeues payloads that were taken but not done as new jobs with their remaining attempts, the first after a delay in seconds. Returning
   * the jobs themselves would cost each an attempt.
   */
  private async queueAnew(kind: JobKind, groups: Job<unknown>[][], delay: number): Promise<JobResult[]> {
    const payloads = groups.map((same, at) => ({
      data: (same[0]?.data ?? {}) as object,
      startAfter: at === 0 ? delay : 0,
      retryLimit: JOB_KINDS[kind].policy.retries - Math.min(...same.map(({ retryCount }) => retryCount)),
    }));
    await this.boss.insert(kind, payloads);
    this.logger.info({ job: kind, payloads: payloads.length }, 'unfinished jobs were requeued');
    return groups.flat().map(({ id }) => ({ id, status: 'completed' }));
  }

  /** The result of the attempt, or LEFT when this process ends first. */
  private async unlessLeft<T>(attempt: Promise<T>): Promise<T | Left> {
    const ended = new AbortController();
    const left = once(this.graceOver.signal, 'abort', { signal: ended.signal }).then((): Left => LEFT);
    return await Promise.race([attempt, left]).finally(() => ended.abort());
  }

  /** Runs the jobs of one payload; returns null, or the reason they failed. */
  private async attempt(
    kind: JobKind,
    shape: TSchema,
    jobs: Job<unknown>[],
    handler: JobHandler<JobKind>,
  ): Promise<object | null> {
    const [first] = jobs;
    const payload: unknown = first?.data ?? {};
    try {
      if (!Check(shape, payload)) throw new Error(`the payload of job ${kind} does not match its schema`);
      // Only the check above knows the handler's kind.
      await handler(payload as never, first?.signal as AbortSignal);
      return null;
    } catch (error) {
      this.logger.warn({ err: error, job: kind, id: first?.id }, 'a job failed and will be retried by its policy');
      return error instanceof Error
        ? { name: error.name, message: error.message, stack: error.stack }
        : { message: String(error) };
    }
  }

  /** Waits briefly for running jobs, hands over the rest without losing an attempt, and disconnects. */
  async close(): Promise<void> {
    this.stopping.abort();
    const grace = setTimeout(() => this.graceOver.abort(), STOP_GRACE_MS);
    await this.boss.stop({ graceful: true, timeout: LIBRARY_GRACE_MS });
    clearTimeout(grace);
  }
}

/** Creates missing queues and updates those whose policy changed, so that a normal start writes nothing. */
async function installQueues(boss: PgBoss): Promise<void> {
  const installed = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const [kind, { policy }] of KINDS) {
    const options = {
      retryLimit: policy.retries,
      retryDelay: policy.delay,
      retryBackoff: true,
      expireInSeconds: policy.timeout,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      retentionSeconds: WAITING_SECONDS,
      notify: true,
    };
    const queue = installed.get(kind);
    if (!queue) await boss.createQueue(kind, options);
    else if (Object.entries(options).some(([name, value]) => queue[name as keyof typeof options] !== value))
      await boss.updateQueue(kind, options);
  }
}

function groupedByPayload<T>(jobs: readonly Job<T>[]): Job<T>[][] {
  return [...Map.groupBy(jobs, ({ data }) => JSON.stringify(data ?? {})).values()];
}
