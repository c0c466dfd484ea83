import { CHANGES } from '../events/event-log.js';
import type { KeysById } from '../modules/access/keys/keys-by-id.js';
import { databaseSources } from '../modules/handshake/database-sources.js';
import { DecisionMeter } from '../modules/handshake/decision-meter.js';
import { HandshakeService } from '../modules/handshake/handshake.service.js';
import { ServedDecisions } from '../modules/handshake/served-decisions.js';
import { SnapshotCache } from '../modules/handshake/snapshot-cache.js';
import type { PersonSamples } from '../modules/ingest/audience/person-sample.js';
import { storedPerson } from '../modules/ingest/cohorts/stored-person.js';
import type { SurveyCatalogues } from '../modules/pulse/surveys/survey-catalogues.js';
import { DecisionCounter } from '../modules/quotas/decisions/decision-counter.js';
import { FlagExplainingService } from '../modules/switch/evaluation/flag-explaining.service.js';
import { FlagChangesResolver } from '../modules/switch/flag-changes.resolver.js';
import { FlagUsageFields } from '../modules/switch/flag-usage.resolver.js';
import { FlagService } from '../modules/switch/flags/flag.service.js';
import { FlagManifestService } from '../modules/switch/flags/flag-manifest.service.js';
import { FlagHaltService } from '../modules/switch/halting/flag-halt.service.js';
import { HaltPreviewService } from '../modules/switch/halting/halt-preview.service.js';
import { HaltWebhook } from '../modules/switch/halting/halt-webhook.js';
import { HaltWriter } from '../modules/switch/halting/halt-writer.js';
import { FlagPrerequisiteFields, ProjectFlagsResolver, SwitchResolver } from '../modules/switch/switch.resolver.js';
import type { Composed, Parts } from './parts.js';
import { composeStreams } from './streams.js';

export interface SwitchNeeds {
  readonly samples: PersonSamples;
  readonly keysById: KeysById;
  readonly catalogues: SurveyCatalogues;
}

/** Flags, and the handshake that gives SDKs every module's decisions. */
export function composeSwitch(parts: Parts, { samples, keysById, catalogues }: SwitchNeeds) {
  const { env, pool, tx, clock, logger, events, quotas, shared } = parts;
  const sources = databaseSources(pool);
  const flags = new FlagService(events);
  const snapshots = new SnapshotCache(sources, clock);
  snapshots.listen(shared.broadcast, CHANGES);
  const streaming = composeStreams(parts, { snapshots, catalogues, keysById });
  const decisionMeter = new DecisionMeter(pool, tx, quotas, clock, logger);
  const decisionCounter = new DecisionCounter(pool, clock, logger);
  const services = {
    flags,
    flagHalts: new FlagHaltService(flags, events),
    flagManifests: new FlagManifestService(),
    haltPreviews: new HaltPreviewService(flags, (...place) => samples.read(...place)),
    flagExplanations: new FlagExplainingService(flags, (...person) => storedPerson(pool, ...person)),
    haltWebhook: new HaltWebhook(new HaltWriter(pool, clock, events)),
    handshake: new HandshakeService(
      snapshots,
      sources,
      clock,
      new ServedDecisions(decisionCounter),
      env.decisionCacheBytes,
    ),
    decisionCounter,
    decisionMeter,
    ...streaming.services,
  };
  return {
    services,
    resolvers: [
      new SwitchResolver(services.flags, services.flagHalts, services.flagExplanations, services.haltPreviews),
      new FlagUsageFields(services.flags),
      new FlagPrerequisiteFields(),
      new ProjectFlagsResolver(services.flags),
      new FlagChangesResolver(services.flags),
    ],
    close: async () => {
      streaming.close();
      await decisionMeter.close();
      await decisionCounter.flush();
    },
  } satisfies Composed<typeof services>;
}
