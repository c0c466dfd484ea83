import type { Json } from './json.js';
import { readKept } from './key-value-store.js';
import type { Properties } from './operations.js';
import type { Platform } from './platform.js';

/** A pause after which the next visit counts as another session. */
const SESSION_GAP_MS = 1_800_000;
const MOST_EVENTS = 100;

/** A session as `session_start` reports it and crash reports name it. */
export interface ToldSession {
  readonly session_id: string;
  readonly started_at: string;
  readonly release: string | null;
}

interface KeptSession {
  readonly told: ToldSession;
  readonly count: number;
  readonly last: number;
  readonly events: readonly string[];
}

interface KeptPerson {
  readonly id: string;
  /** Whether the application said who it is. */
  readonly known: boolean;
  readonly properties: Properties;
}

/** Who the person is on this device, and which of their sessions this is. */
export class Session {
  private person: KeptPerson;
  private session: KeptSession;

  constructor(
    private readonly platform: Platform,
    private readonly prefix: string,
    private readonly release: string | null,
    distinctId?: string,
  ) {
    const kept = readKept<KeptPerson>(platform.store, `${prefix}person`);
    const given = distinctId !== undefined && distinctId !== kept?.id;
    this.person = given ? { id: distinctId, known: true, properties: {} } : (kept ?? this.stranger());
    const before = readKept<KeptSession>(platform.store, `${prefix}session`);
    const goesOn = before?.told && platform.now() - before.last < SESSION_GAP_MS;
    this.session = goesOn ? before : this.begin((before?.count ?? 0) + 1);
    this.keep();
  }

  get id(): string {
    return this.person.id;
  }

  get isKnown(): boolean {
    return this.person.known;
  }

  get properties(): Readonly<Record<string, Json | undefined>> {
    return this.person.properties;
  }

  get told(): ToldSession {
    return this.session.told;
  }

  get count(): number {
    return this.session.count;
  }

  /** Names of the events of this session. */
  get events(): readonly string[] {
    return this.session.events;
  }

  happened(event: string): void {
    const { events } = this.session;
    this.session = {
      ...this.session,
      last: this.platform.now(),
      events: events.includes(event) ? events : [...events.slice(1 - MOST_EVENTS), event],
    };
    this.keep();
  }

  /** The application says who it is; the id so far, when it was the device's own. */
  identify(id: string): string | null {
    if (id === this.person.id) return null;
    const before = this.person;
    this.person = { id, known: true, properties: before.known ? {} : before.properties };
    this.keep();
    return before.known ? null : before.id;
  }

  setProperties(properties: Properties): void {
    this.person = { ...this.person, properties: { ...this.person.properties, ...properties } };
    this.keep();
  }

  /** Somebody else uses the device from now on. */
  reset(): void {
    this.person = this.stranger();
    this.session = this.begin(1);
    this.keep();
  }

  private begin(count: number): KeptSession {
    const { platform, release } = this;
    const last = platform.now();
    const told = { session_id: platform.uuid(), started_at: new Date(last).toISOString(), release };
    return { told, count, last, events: [] };
  }

  private stranger(): KeptPerson {
    return { id: this.platform.uuid(), known: false, properties: {} };
  }

  private keep(): void {
    this.platform.store.set(`${this.prefix}person`, JSON.stringify(this.person));
    this.platform.store.set(`${this.prefix}session`, JSON.stringify(this.session));
  }
}
