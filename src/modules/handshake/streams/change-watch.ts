import type { EventNotice } from '../../../events/event-notices.js';
import type { ProjectEnvironment } from '../../../kernel/actor.js';
import type { Logger } from '../../../kernel/logger.js';
import { SingleTimer } from '../../../kernel/turns/single-timer.js';
import { Spread } from './spread.js';
import type { Versions } from './versions.js';

export interface ChangeListener {
  /** Called when versions may differ from those it has seen; it compares them itself. */
  changed(versions: Versions): void;
}

/** Reads the current versions, bypassing any cache that a change has made stale. */
export type ReadVersions = (place: ProjectEnvironment) => Promise<Versions>;

/** A changed flag is reported within this time however many listeners there are, so that a halt arrives in half a second. */
const URGENT_WINDOW_MS = 350;
const URGENT_MS_A_LISTENER = 1 / 25;
const LONGEST_WINDOW_MS = 10_000;
const WINDOW_MS_A_LISTENER = 1;
/** Versions are compared again after this time, so that a lost message delays a notice but doesn't lose it. */
const RECHECK_MS = 30_000;
const SWEEP_MS = 1_000;
/** After a message may have been lost, this many places are read at once. */
const READS_AT_ONCE = 4;

interface Watched {
  readonly place: ProjectEnvironment;
  readonly listeners: Set<ChangeListener>;
  readonly spread: Spread<ChangeListener>;
  versions: Versions | null;
  checkedAt: number;
  checking: Promise<Versions> | null;
  /** Something changed after the current check had started. */
  again: boolean;
  urgent: boolean;
}

/** Kinds of events that change what clients receive; the modules' other events don't concern clients. */
const DECIDING_KIND =
  /^(?:switch\.flag|config\.item|deploy\.release|pulse\.survey|ingest\.cohort)\.|^catch\.settings\.changed$|^access\.project\.updated$/;

/**
 * Tells the listeners of a project and environment that their answers have changed. It compares the modules' versions when events give a
 * reason to, so a change without effect isn't reported, changes in quick succession are reported once, and a process that missed messages
 * reports what it missed. Each process has its own.
 */
export class ChangeWatch {
  private readonly places = new Map<string, Watched>();
  private readonly timer = new SingleTimer(() => void this.sweep());
  private sweeping = false;
  /** Every place must be checked again. */
  private stale = false;

  constructor(
    private readonly read: ReadVersions,
    private readonly logger: Logger,
  ) {}

  /** Takes note of an event; null means that some may have been missed. */
  onNotice(notice: EventNotice | null): void {
    if (notice === null) {
      this.stale = true;
      return;
    }
    const { kind, projectId, environment } = notice;
    if (projectId === null || !DECIDING_KIND.test(kind)) return;
    for (const each of ['live', 'test'] as const) {
      if (environment !== null && environment !== each) continue;
      const watched = this.places.get(`${projectId} ${each}`);
      if (!watched) continue;
      watched.urgent ||= kind === 'switch.flag.halted';
      void this.check(watched).catch(() => this.later(watched));
    }
  }

  /** Adds a listener; the returned function removes it. */
  listen(place: ProjectEnvironment, listener: ChangeListener): () => void {
    const watched = this.watched(place);
    watched.listeners.add(listener);
    this.timer.every(SWEEP_MS);
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size > 0) return;
      watched.spread.stop();
      this.places.delete(keyOf(place));
      if (this.places.size === 0) this.timer.stop();
    };
  }

  /** The current versions of a place; from memory if they are watched anyway. */
  async versions(place: ProjectEnvironment): Promise<Versions> {
    const watched = this.places.get(keyOf(place));
    if (!watched) return this.read(place);
    return watched.versions ?? this.check(watched);
  }

  close(): void {
    for (const { spread } of this.places.values()) spread.stop();
    this.places.clear();
    this.timer.stop();
  }

  private watched(place: ProjectEnvironment): Watched {
    const key = keyOf(place);
    let watched = this.places.get(key);
    if (!watched) {
      const listeners = new Set<ChangeListener>();
      const made: Watched = {
        place: { projectId: place.projectId, environment: place.environment },
        listeners,
        spread: new Spread(listeners, (listener) => made.versions && listener.changed(made.versions)),
        versions: null,
        checkedAt: 0,
        checking: null,
        again: false,
        urgent: false,
      };
      watched = made;
      this.places.set(key, watched);
    }
    return watched;
  }

  private check(watched: Watched): Promise<Versions> {
    if (watched.checking) {
      watched.again = true;
      return watched.checking;
    }
    watched.again = false;
    watched.checking = this.compare(watched).finally(() => {
      watched.checking = null;
    });
    // Waiting callers get the first answer: if changes come faster than they are read, there is no last one.
    watched.checking.then(
      () => {
        if (watched.again) this.check(watched).catch(() => this.later(watched));
      },
      () => undefined,
    );
    return watched.checking;
  }

  private async compare(watched: Watched): Promise<Versions> {
    const versions = await this.read(watched.place);
    watched.checkedAt = performance.now();
    const before = watched.versions;
    watched.versions = versions;
    if (before && Object.entries(versions).some(([module, version]) => before[module as keyof Versions] !== version))
      this.notifyListeners(watched);
    return versions;
  }

  private notifyListeners(watched: Watched): void {
    const { size } = watched.listeners;
    const window = watched.urgent
      ? Math.min(URGENT_WINDOW_MS, size * URGENT_MS_A_LISTENER)
      : Math.min(LONGEST_WINDOW_MS, size * WINDOW_MS_A_LISTENER);
    watched.urgent = false;
    watched.spread.run(window);
  }

  /** The database didn't answer: the place is checked again at the next sweep. */
  private later(watched: Watched): void {
    watched.checkedAt = Number.NEGATIVE_INFINITY;
  }

  private async sweep(): Promise<void> {
    if (this.sweeping) return;
    this.sweeping = true;
    try {
      const all = this.stale;
      this.stale = false;
      const before = performance.now() - RECHECK_MS;
      const due = [...this.places.values()].filter(({ checkedAt }) => all || checkedAt < before);
      const next = due.values();
      await Promise.all(Array.from({ length: READS_AT_ONCE }, () => this.checkEach(next)));
    } finally {
      this.sweeping = false;
    }
  }

  private async checkEach(places: Iterator<Watched>): Promise<void> {
    for (let next = places.next(); !next.done; next = places.next()) {
      const watched = next.value;
      try {
        await this.check(watched);
      } catch (error) {
        this.later(watched);
        this.logger.warn({ err: error, projectId: watched.place.projectId }, 'could not check for changes');
      }
    }
  }
}

const keyOf = ({ projectId, environment }: ProjectEnvironment): string => `${projectId} ${environment}`;
