import type { Clock } from '../../kernel/clock.js';
import { readShared } from '../../kernel/database/reading-budget.js';
import type { Broadcast } from '../../storage/shared/broadcast.js';
import type { DecisionSources, ProjectEnvironment } from './decision-sources.js';
import { compileSnapshot, type Snapshot } from './snapshot.js';
import { writeSource } from './snapshot-source.js';

/** Modules whose events change decisions; the others, such as survey responses, must not cost a rebuild. */
const DECIDING = new Set(['access', 'config', 'deploy', 'ingest', 'switch']);
/** From this age on, a snapshot is reread in the background of the requests it serves. */
const REFRESH_MS = 3_000;
/** Beyond this age a snapshot isn't used, so that a lost message delays a change by no more than this. */
const FRESH_MS = 4_500;
const MOST_ENTRIES = 2_000;

interface Entry {
  readAt: number;
  fingerprint: string;
  snapshot: Promise<Snapshot>;
  /** Set as soon as it is available, so that requests needn't wait for a promise. */
  ready: Snapshot | null;
  refreshing: boolean;
}

/** Compiled snapshots by project and environment. Dropped in every process when a change is announced. */
export class SnapshotCache {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly sources: DecisionSources,
    private readonly clock: Clock,
  ) {}

  /** Drops snapshots as changes are announced on a channel; the returned function stops it. */
  listen(broadcast: Broadcast, channel: string): () => void {
    return broadcast.subscribe(channel, (message) => {
      if (message === null) this.entries.clear();
      else {
        const [projectId = '', module = ''] = message.split(' ');
        if (DECIDING.has(module)) this.forget(projectId);
      }
    });
  }

  /** The snapshot, at most 5 s old. Unchanged content keeps its identity across refreshes. */
  get(place: ProjectEnvironment): Snapshot | Promise<Snapshot> {
    const key = `${place.projectId} ${place.environment}`;
    const known = this.entries.get(key);
    const age = known ? this.clock.now().getTime() - known.readAt : -1;
    if (!known || age < 0 || age >= FRESH_MS) return this.read(place, key);
    if (age >= REFRESH_MS && !known.refreshing && known.ready) void this.refresh(place, known);
    return known.ready ?? known.snapshot;
  }

  /** Drops a project's entries, because something in it changed. */
  forget(projectId: string): void {
    this.entries.delete(`${projectId} live`);
    this.entries.delete(`${projectId} test`);
  }

  private read(place: ProjectEnvironment, key: string): Promise<Snapshot> {
    const snapshot = readShared(() => this.load(place)).then(({ fingerprint, compile }) => {
      const ready = compile();
      entry.fingerprint = fingerprint;
      entry.ready = ready;
      return ready;
    });
    const readAt = this.clock.now().getTime();
    const entry: Entry = { readAt, fingerprint: '', snapshot, ready: null, refreshing: false };
    snapshot.catch(() => this.entries.get(key) === entry && this.entries.delete(key));
    this.entries.delete(key);
    this.entries.set(key, entry);
    if (this.entries.size > MOST_ENTRIES) this.entries.delete(this.entries.keys().next().value as string);
    return snapshot;
  }

  private async refresh(place: ProjectEnvironment, entry: Entry): Promise<void> {
    entry.refreshing = true;
    try {
      const readAt = this.clock.now().getTime();
      const { fingerprint, compile } = await readShared(() => this.load(place));
      if (fingerprint !== entry.fingerprint) {
        entry.ready = compile();
        entry.snapshot = Promise.resolve(entry.ready);
        entry.fingerprint = fingerprint;
      }
      entry.readAt = readAt;
    } catch {
      // The entry gets older, and the next request meets the failure itself.
    } finally {
      entry.refreshing = false;
    }
  }

  private async load(place: ProjectEnvironment): Promise<{ fingerprint: string; compile: () => Snapshot }> {
    const { sources } = this;
    const [disabled, flags, items, cohorts, release, sampleRate] = await Promise.all([
      sources.disabledModules(place),
      sources.flags(place),
      sources.items(place),
      sources.cohorts(place),
      sources.release(place),
      sources.sampleRate(place),
    ]);
    const { projectId, environment } = place;
    const source = { projectId, environment, disabled, flags, items, cohorts, release, sampleRate };
    const written = writeSource(source);
    return { fingerprint: written.fingerprint, compile: () => compileSnapshot(source, written) };
  }
}
