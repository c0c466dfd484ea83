import type { Environment } from '../../kernel/actor.js';
import type { Clock } from '../../kernel/clock.js';
import type { Broadcast } from '../../storage/shared/broadcast.js';
import type { PersonLookup, StoredFacts } from '../switch/evaluation/flag-explaining.service.js';

/** Cohort definitions may be four seconds old, answers half a second: together with this a change is seen within five. */
const FRESH_MS = 450;
const MOST_ENTRIES = 2_000;

interface Entry {
  readonly readAt: number;
  readonly facts: Promise<StoredFacts>;
}

/** What is stored about persons, for bursts of requests about the same one. */
export class PersonCache {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly lookUp: PersonLookup,
    private readonly clock: Clock,
  ) {}

  /** Drops everything when cohorts or merged persons are announced to have changed; the answer ends it. */
  listen(broadcast: Broadcast, channel: string): () => void {
    return broadcast.subscribe(channel, (message) => {
      if (message === null || message.endsWith(' ingest')) this.entries.clear();
    });
  }

  get(projectId: string, environment: Environment, distinctId: string): Promise<StoredFacts> {
    const key = `${projectId} ${environment} ${distinctId}`;
    const now = this.clock.now().getTime();
    const known = this.entries.get(key);
    if (known && now >= known.readAt && now - known.readAt < FRESH_MS) return known.facts;
    const entry = { readAt: now, facts: this.lookUp(projectId, environment, distinctId) };
    entry.facts.catch(() => this.entries.get(key) === entry && this.entries.delete(key));
    this.entries.delete(key);
    this.entries.set(key, entry);
    if (this.entries.size > MOST_ENTRIES) this.entries.delete(this.entries.keys().next().value as string);
    return entry.facts;
  }
}
