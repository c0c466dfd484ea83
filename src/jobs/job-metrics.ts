import type { Pool } from 'pg';
import type { Metrics } from '../kernel/metrics.js';
import { inSpan, type Tracer } from '../kernel/tracing/tracer.js';
import { JOB_KINDS, type JobKind } from './catalog.js';
import type { JobHandlers } from './job-queue.js';

/** How many jobs are waiting, running and permanently failed. */
export function measureQueue(metrics: Metrics, pool: Pool): void {
  metrics.gauge(
    'jobs',
    'Jobs in the queue by state',
    async () => {
      const { rows } = await pool.query<{ state: string; jobs: number }>(
        `select state::text, count(*)::int as jobs from pgboss.job where state in ('created', 'retry', 'active', 'failed') group by 1`,
      );
      return new Map(rows.map(({ state, jobs }) => [state, jobs]));
    },
    'state',
  );
}

/** Wraps handlers to count and time them by kind and outcome, and trace them if there is a tracer. */
export function measuredHandlers(handlers: JobHandlers, metrics: Metrics, tracer?: Tracer): JobHandlers {
  const runs = metrics.counter('job_runs_total', 'Attempts to run a job', ['kind', 'outcome']);
  const seconds = metrics.counter('job_seconds_total', 'Time spent running jobs', ['kind']);
  const measured = Object.keys(JOB_KINDS).map((name) => {
    const kind = name as JobKind;
    const handler = handlers[kind] as (payload: unknown, signal: AbortSignal) => Promise<void>;
    const timed = async (payload: unknown, signal: AbortSignal) => {
      const startedAt = performance.now();
      let outcome = 'failed';
      try {
        await inSpan(tracer, 'consumer', `job ${kind}`, { 'quarterdeck.job': kind }, () => handler(payload, signal));
        outcome = 'done';
      } finally {
        runs({ kind, outcome });
        seconds({ kind }, (performance.now() - startedAt) / 1000);
      }
    };
    return [kind, timed];
  });
  return Object.fromEntries(measured) as JobHandlers;
}
