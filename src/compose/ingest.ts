import { CHANGES } from '../events/event-log.js';
import { systemClock } from '../kernel/clock.js';
import { CohortService } from '../modules/ingest/cohort.service.js';
import { CohortMemberships } from '../modules/ingest/cohort-memberships.js';
import { EventService } from '../modules/ingest/event.service.js';
import { EventCountsService } from '../modules/ingest/event-counts.service.js';
import { ensureEventPartitions } from '../modules/ingest/event-partitions.js';
import { EventUpkeep } from '../modules/ingest/event-upkeep.js';
import { IngestResolver } from '../modules/ingest/ingest.resolver.js';
import {
  AnalyticsEventFields,
  CohortFields,
  IngestionWarningFields,
  PersonFields,
  PersonMergeFields,
} from '../modules/ingest/ingest-fields.resolver.js';
import { measureIngestion } from '../modules/ingest/ingest-metrics.js';
import { IngestionService } from '../modules/ingest/ingestion.service.js';
import { PersonService } from '../modules/ingest/person.service.js';
import { WarningService } from '../modules/ingest/warning.service.js';
import { WarningCounter } from '../modules/ingest/warning-counter.js';
import { EventMeter } from '../modules/quotas/event-meter.js';
import type { AnalyticsReader } from '../storage/analytics-reader.js';
import type { Composed, Parts } from './parts.js';

/** Ingestion, people and cohorts. Partitions follow the real time, also where a test holds the clock. */
export function composeIngest(
  { databaseUrl, pool, clock, logger, events, shared, metrics }: Parts,
  analytics: AnalyticsReader,
) {
  const warnings = new WarningCounter(pool, clock, logger);
  const cohortMemberships = new CohortMemberships(pool, clock);
  shared.broadcast.subscribe(CHANGES, (message) => {
    if (message === null || message.endsWith(' ingest')) cohortMemberships.forget(message?.split(' ')[0] ?? null);
  });
  const upkeep = new EventUpkeep(pool);
  const ingestion = new IngestionService({
    database: { connectionString: databaseUrl },
    meter: new EventMeter(events),
    warnings,
    clock,
    logger,
  });
  measureIngestion(metrics, ingestion);
  const services = {
    ingestion,
    warnings,
    cohortMemberships,
    eventUpkeep: upkeep,
    analyticsEvents: new EventService(),
    eventCounts: new EventCountsService(analytics),
    persons: new PersonService(events),
    cohorts: new CohortService(events),
    ingestionWarnings: new WarningService(),
  };
  return {
    services,
    resolvers: [
      new IngestResolver(
        services.analyticsEvents,
        services.eventCounts,
        services.persons,
        services.cohorts,
        services.ingestionWarnings,
      ),
      new AnalyticsEventFields(),
      new PersonFields(),
      new PersonMergeFields(),
      new CohortFields(),
      new IngestionWarningFields(),
    ],
    jobHandlers: {
      'ingest.keep_partitions': () => upkeep.keepPartitions(systemClock.now()),
      'ingest.forget': () => upkeep.forget(systemClock.now()),
    },
    open: () => ensureEventPartitions(pool, systemClock.now()),
    close: () => ingestion.close(),
  } satisfies Composed<typeof services>;
}
