import { readKept } from './key-value-store.js';
import { SESSION_GAP_MS } from './limits.js';
import type { Properties } from './operations.js';
import { jsonText } from './plain-json.js';
import type { Platform } from './platform.js';

const MOST_EVENTS = 100;
/** The event that reports a session to the server. */
export const START = 'session_start';

/** A session as reported by `session_start` and referenced by crash reports. */
export interface ToldSession {
  readonly session_id: string;
  readonly started_at: string;
  readonly release: string | null;
}

/** A session as stored. */
export interface KeptSession {
  readonly told: ToldSession;
  readonly count: number;
  readonly last: number;
  /** Names of its events. */
  readonly events: readonly string[];
  /** Whether its start was reported to the server. */
  readonly isReported: boolean;
}

/** A person as stored. */
export interface KeptPerson {
  readonly id: string;
  /** Whether the application has identified them. */
  readonly known: boolean;
  readonly properties: Properties;
}

interface Kept {
  person: KeptPerson;
  session: KeptSession;
}

/** The person on this device and their current session, shared by all tabs. */
export class Session {
  /** The last value read or written here; survives loss of storage. */
  private readonly last: Kept;

  constructor(
    private readonly platform: Platform,
    private readonly prefix: string,
    private readonly release: string | null,
  ) {
    this.last = { person: this.stranger(), session: this.begin(1) };
    this.keep('person', this.read('person'));
    this.keep('session', this.read('session'));
    this.goOn();
  }

  get id(): string {
    return this.person.id;
  }

  get person(): KeptPerson {
    return this.read('person');
  }

  /** The current session. */
  get present(): KeptSession {
    return this.read('session');
  }

  /** Records activity: after a long pause it starts a new session. */
  goOn(): void {
    const { last, count } = this.present;
    // A time in the future means the clock was set back since.
    if (Math.abs(this.platform.now() - last) >= SESSION_GAP_MS) this.keep('session', this.begin(count + 1));
  }

  happened(event: string): void {
    const session = this.present;
    const { events } = session;
    this.keep('session', {
      ...session,
      isReported: session.isReported || event === START,
      last: this.platform.now(),
      events: events.includes(event) ? events : [...events.slice(1 - MOST_EVENTS), event],
    });
  }

  /** Identifies the person. Returns the previous id if it was the device's own. Throws for an invalid id. */
  identify(id: string): string | null {
    if (typeof id !== 'string' || id === '') throw new TypeError('not a distinct id');
    const before = this.person;
    if (id === before.id) return null;
    this.keep('person', { id, known: true, properties: before.known ? {} : before.properties });
    return before.known ? null : before.id;
  }

  setProperties(properties: Properties): void {
    const { person } = this;
    this.keep('person', { ...person, properties: { ...person.properties, ...properties } });
  }

  /** Starts over with a new person on this device. */
  reset(): void {
    this.keep('person', this.stranger());
    this.keep('session', this.begin(1));
  }

  private begin(count: number): KeptSession {
    const { platform, release } = this;
    const last = platform.now();
    const told = { session_id: platform.uuid(), started_at: new Date(last).toISOString(), release };
    return { told, count, last, events: [], isReported: false };
  }

  private stranger(): KeptPerson {
    return { id: this.platform.uuid(), known: false, properties: {} };
  }

  private read<Name extends keyof Kept>(name: Name): Kept[Name] {
    // An earlier release may have kept less.
    this.last[name] = { ...this.last[name], ...readKept<Kept[Name]>(this.platform.store, this.prefix + name) };
    return this.last[name];
  }

  private keep<Name extends keyof Kept>(name: Name, value: Kept[Name]): void {
    this.last[name] = value;
    this.platform.store.set(this.prefix + name, jsonText(value));
  }
}
