import { EventDataset } from '../modules/ingest/events/event-dataset.js';
import { ResponseDataset } from '../modules/pulse/results/response-dataset.js';
import { AnalyticsCopier } from '../storage/analytics/analytics-copier.js';
import { AnalyticsOutbox } from '../storage/analytics/analytics-outbox.js';
import { AnalyticsReader } from '../storage/analytics/analytics-reader.js';
import { AnalyticsState } from '../storage/analytics/analytics-state.js';
import { AnalyticsTables } from '../storage/analytics/analytics-tables.js';
import { ClickHouse } from '../storage/analytics/clickhouse.js';
import { SingletonLock } from '../storage/embedded/singleton-lock.js';
import type { Composed, Parts } from './parts.js';

/** Any constant works; all processes of one database must use the same. */
const COPIER_LOCK = 7_104_418_227;

/** The copy of events and survey responses in ClickHouse, if its URL is set: its reader, and the worker that fills it. */
export function composeAnalytics(parts: Parts) {
  const { env, pool, logger } = parts;
  const { clickhouseUrl } = env;
  const state = new AnalyticsState(pool);
  const store = clickhouseUrl === null ? null : new ClickHouse({ ...env, clickhouseUrl });
  const copier = store && createCopier(parts, store, state);
  const services = { analyticsReader: new AnalyticsReader(store, state, logger), analyticsCopier: copier };
  return {
    services,
    resolvers: [],
    jobHandlers: { 'analytics.abandon': () => state.abandon() },
    ...(copier ? { worker: copier } : {}),
    degraded: () => (copier?.isFailing ? ['analytics'] : []),
    close: async () => {
      await copier?.stop();
    },
  } satisfies Composed<typeof services>;
}

function createCopier({ databaseUrl, pool, logger, metrics }: Parts, store: ClickHouse, state: AnalyticsState) {
  const outbox = new AnalyticsOutbox(pool);
  const datasets = [new EventDataset(pool), new ResponseDataset(pool)];
  const copied = metrics.counter('analytics_copied_total', 'Rows copied to the analytics store', ['dataset']);
  metrics.gauge(
    'analytics_waiting',
    'Rows and erasures missing from the analytics store, not counting rows stored before the copy began',
    async () => {
      const { rows, erasures } = await outbox.waiting();
      return new Map(Object.entries({ rows, erasures }));
    },
    'of',
  );
  metrics.gauge(
    'analytics_lag_seconds',
    'Age of the oldest change missing from the analytics store',
    async () => (await outbox.waiting()).seconds,
  );
  return new AnalyticsCopier({
    store,
    state,
    outbox,
    tables: new AnalyticsTables(store, state, datasets),
    datasets,
    lock: new SingletonLock(databaseUrl, COPIER_LOCK),
    logger,
    onCopied: (dataset, rows) => copied({ dataset }, rows),
  });
}
