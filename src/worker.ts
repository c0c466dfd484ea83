import type { App } from './app.js';
import { EVENT_KINDS } from './events/catalog.js';
import { EventDispatcher } from './events/dispatcher.js';
import { measuredHandlers } from './jobs/job-metrics.js';
import type { JobHandlers } from './jobs/job-queue.js';

/** What a worker process runs until it is stopped. */
export interface Worker {
  stop(): Promise<void>;
}

/** Dispatches stored events of the given kinds, usually all, to the modules that react to them. */
export function createDispatcher(
  { parts, modules }: App,
  kinds: readonly string[] = Object.keys(EVENT_KINDS),
): EventDispatcher {
  const reactions = modules.flatMap((module) => module.reactions ?? []);
  return new EventDispatcher(parts.tx, parts.shared.broadcast, reactions, parts.logger, kinds);
}

/** Starts jobs, schedules, the event dispatcher and the modules' workers. */
export async function startWorker(app: App): Promise<Worker> {
  const { jobs, metrics } = app.parts;
  const workers = [createDispatcher(app), ...app.modules.flatMap(({ worker }) => worker ?? [])];
  const handlers = Object.assign({}, ...app.modules.map(({ jobHandlers }) => jobHandlers)) as JobHandlers;
  await jobs.work(measuredHandlers(handlers, metrics, app.tracer));
  for (const worker of workers) await worker.start();
  return {
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
