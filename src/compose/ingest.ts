import { systemClock } from '../kernel/clock.js';
import { eachApart } from '../kernel/database/each-apart.js';
import { crashesCameWith, eraseFromCrashes } from '../modules/catch/crashes/crash-erasure.sql.js';
import { AudienceService } from '../modules/ingest/audience/audience.service.js';
import { PersonSamples } from '../modules/ingest/audience/person-sample.js';
import { CohortService } from '../modules/ingest/cohorts/cohort.service.js';
import { eraseRecordedEvents } from '../modules/ingest/copy/recorded-events.js';
import { EventService } from '../modules/ingest/events/event.service.js';
import { EventBreakdownService } from '../modules/ingest/events/event-breakdown.service.js';
import { EventCountsService } from '../modules/ingest/events/event-counts.service.js';
import { ensureEventPartitions } from '../modules/ingest/events/event-partitions.js';
import { EventUpkeep } from '../modules/ingest/events/event-upkeep.js';
import { IngestedEventsResolver } from '../modules/ingest/events/ingested-events.resolver.js';
import { EventHours } from '../modules/ingest/hours/event-hours.js';
import { IngestResolver } from '../modules/ingest/ingest.resolver.js';
import {
  AnalyticsEventFields,
  IngestionWarningFields,
  KeyWarningsField,
  PersonFields,
} from '../modules/ingest/ingest-fields.resolver.js';
import { measureIngestion } from '../modules/ingest/intake/ingest-metrics.js';
import { IngestionService } from '../modules/ingest/intake/ingestion.service.js';
import { PersonService } from '../modules/ingest/people/person.service.js';
import { PersonErasureService } from '../modules/ingest/people/person-erasure.service.js';
import { WarningService } from '../modules/ingest/warnings/warning.service.js';
import { WarningCounter } from '../modules/ingest/warnings/warning-counter.js';
import { eraseCopiesOf, hasAnswered } from '../modules/pulse/responses/copy-erasure.js';
import { EventMeter } from '../modules/quotas/event-meter.js';
import type { AnalyticsReader } from '../storage/analytics/analytics-reader.js';
import { asSystem, type Composed, type Parts } from './parts.js';

/** Ingestion, persons and cohorts. Partitions follow real time, even when a test controls the clock. */
export function composeIngest(
  { env, databaseUrl, copyUrl = databaseUrl, pool, tx, jobs, clock, logger, events, tails, metrics, tracer }: Parts,
  analytics: AnalyticsReader,
) {
  const warnings = new WarningCounter(pool, clock, logger);
  const hours = new EventHours(pool);
  const upkeep = new EventUpkeep(pool, hours);
  const makeMonths = () => ensureEventPartitions(pool, systemClock.now());
  const ingestion = new IngestionService({
    database: { connectionString: copyUrl, connectionTimeoutMillis: env.databasePatienceMs },
    meter: new EventMeter(events),
    warnings,
    clock,
    logger,
    tracer,
    tail: tails.events,
    makeMonths,
  });
  measureIngestion(metrics, ingestion);
  const personSamples = new PersonSamples(pool);
  const cohorts = new CohortService(events);
  const personErasures = new PersonErasureService({
    tx,
    jobs,
    step: eraseFromCrashes,
    recorded: (ctx, person, until) => eraseCopiesOf(ctx, person, until, eraseRecordedEvents),
    isKnown: async (ctx, person) => (await crashesCameWith(ctx, person)) || hasAnswered(ctx, person),
    turnMs: 20,
    promptMs: 1_000,
  });
  const services = {
    ingestion,
    warnings,
    personSamples,
    audiences: new AudienceService(personSamples),
    eventUpkeep: upkeep,
    eventHours: hours,
    analyticsEvents: new EventService(),
    eventCounts: new EventCountsService(analytics),
    eventBreakdowns: new EventBreakdownService(),
    persons: new PersonService(events, cohorts, personErasures),
    personErasures,
    cohorts,
    ingestionWarnings: new WarningService(),
  };
  return {
    services,
    resolvers: [
      new IngestResolver(
        services.analyticsEvents,
        services.eventCounts,
        services.eventBreakdowns,
        services.persons,
        services.cohorts,
        services.ingestionWarnings,
        services.audiences,
      ),
      new IngestedEventsResolver(),
      new AnalyticsEventFields(),
      new PersonFields(services.analyticsEvents),
      new IngestionWarningFields(),
      new KeyWarningsField(services.ingestionWarnings),
    ],
    jobHandlers: {
      'ingest.keep_partitions': (_none, signal) => {
        const leftErasures = () => asSystem(tx, 'clean-up', (ctx) => personErasures.queueLeft(ctx));
        const partitions = () => upkeep.keepPartitions(systemClock.now(), signal);
        return eachApart([leftErasures, partitions], (step) => step(), signal);
      },
      'ingest.erase_person': ({ erasureId }, signal) => personErasures.finish(erasureId, signal),
      'ingest.count_hours': (_, signal) => hours.count(signal),
      'ingest.forget': () => upkeep.forget(systemClock.now()),
    },
    open: makeMonths,
    close: () => ingestion.close(),
  } satisfies Composed<typeof services>;
}
