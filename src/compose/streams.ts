import { subscribeToNotices } from '../events/event-notices.js';
import type { KeysById } from '../modules/access/keys/keys-by-id.js';
import type { ProjectEnvironment } from '../modules/handshake/decision-sources.js';
import type { SnapshotCache } from '../modules/handshake/snapshot-cache.js';
import { ChangeWatch } from '../modules/handshake/streams/change-watch.js';
import { KeyGuard } from '../modules/handshake/streams/key-guard.js';
import { RefetchPasses } from '../modules/handshake/streams/refetch-passes.js';
import { StreamService } from '../modules/handshake/streams/stream.service.js';
import { StreamTickets } from '../modules/handshake/streams/stream-tickets.js';
import type { SurveyCatalogues } from '../modules/pulse/surveys/survey-catalogues.js';
import type { Parts } from './parts.js';

/** What streams report changes of, and to whom it belongs. */
export interface StreamNeeds {
  readonly snapshots: SnapshotCache;
  readonly catalogues: SurveyCatalogues;
  readonly keysById: KeysById;
}

/** Streams of changes for clients. The caches they read from learn about a change first. */
export function composeStreams(parts: Parts, { snapshots, catalogues, keysById }: StreamNeeds) {
  const { shared, clock, logger, metrics, streams, env, jwtSecret } = parts;
  const secrets = [jwtSecret, ...env.jwtPreviousSecrets];
  const watch = new ChangeWatch(async (place) => {
    const [{ versions }, revision] = await Promise.all([snapshots.get(place), catalogues.revisionOf(place.projectId)]);
    return { ...versions, surveys: String(revision) };
  }, logger);
  const guard = new KeyGuard(keysById, logger);
  subscribeToNotices(shared.broadcast, (notice) => {
    // The crash sampling rate; other events of the module don't change decisions, and come by the thousand.
    if (notice?.kind === 'catch.settings.changed' && notice.projectId) snapshots.forget(notice.projectId);
    watch.onNotice(notice);
    if (notice === null || notice.kind.startsWith('access.')) void guard.recheck();
  });
  const notices = metrics.counter('stream_notices_total', 'Change notices sent, one per client', ['kind']);
  const passes = new RefetchPasses(secrets, shared.counters, clock);
  const definitionsOf = async (place: ProjectEnvironment) => (await snapshots.get(place)).definitions();
  const countNotice = (kind: string): void => notices({ kind });
  return {
    services: {
      clientStreams: new StreamService({ streams, watch, guard, passes, clock, definitionsOf, countNotice }),
      streamTickets: new StreamTickets(secrets, clock),
      refetchPasses: passes,
    },
    close: () => {
      watch.close();
      guard.close();
    },
  };
}
