import { ask, type Connection, jsonOf } from './connection.js';
import {
  type Bootstrap,
  bootstrapped,
  changeBetween,
  type DecisionChange,
  type Decisions,
  decisionsOf,
  heldBut,
  NO_DECISIONS,
} from './decisions.js';
import { type Json, parsedJson } from './json.js';
import { readKept } from './key-value-store.js';
import { jsonText } from './plain-json.js';

/** Who asks, and what rules may read of it (docs/rest.md, Handshake). */
export interface Subject {
  readonly distinct_id: string;
  readonly platform?: string | undefined;
  readonly app_version?: string | undefined;
  readonly os_version?: string | undefined;
  readonly locale?: string | undefined;
  readonly context?: Readonly<Record<string, Json>> | undefined;
}

/** An answer as it is kept and passed between tabs. */
export interface KeptAnswer {
  /** The subject it was given for, as JSON. */
  readonly subject: string;
  readonly etag: string;
  readonly body: unknown;
}

/** Whose values are shown (docs/sdk.md, Browser). */
export type Knowledge = 'fresh' | 'kept' | 'former' | 'nothing';

/** How a refresh ended; with the pause that the server asked for when it could not answer. */
export type Refreshed =
  | { readonly is: 'fresh'; readonly stream: string | null }
  | { readonly is: 'busy'; readonly retryAfter: string | null }
  | { readonly is: 'refused'; readonly status: number };

export interface DecisionOptions {
  readonly bootstrap?: Bootstrap | undefined;
  /** Keeps what is shown as it is until the next start, but for halted flags. */
  readonly hold?: boolean | undefined;
  /** Is called with every answer that came from the server, for other tabs. */
  readonly onAnswer?: (answer: KeptAnswer) => void;
}

const personOf = (subject: string) => (parsedJson(subject) as Subject).distinct_id;

/** The decisions for one person: the stored answer at first, fresher ones as they come. */
export class DecisionClient {
  /** What is shown. */
  decisions: Decisions;
  private answer: KeptAnswer | null = null;
  private subject = '';
  /** Numbers of the latest request, and of that whose answer is shown. */
  private asked = 0;
  private answered = 0;
  private isFresh = false;
  /** Whom the answer that is shown was given for; null for the values that the page was made with, undefined when there is nothing. */
  private shownFor: string | null | undefined;
  private readonly listeners = new Set<(change: DecisionChange) => void>();

  constructor(
    private readonly connection: Connection,
    private readonly storeKey: string,
    subject: Subject,
    private readonly options: DecisionOptions,
  ) {
    const { bootstrap } = options;
    this.decisions = bootstrap ? bootstrapped(bootstrap) : NO_DECISIONS;
    this.shownFor = bootstrap ? null : undefined;
    this.ofSubject(subject);
  }

  /** Whether what is shown is the server's word for this subject, an earlier one, that for the subject before, or there is nothing. */
  get knowledge(): Knowledge {
    if (this.isFresh) return 'fresh';
    if (this.shownFor === undefined) return 'nothing';
    return (this.shownFor ?? this.subject) === this.subject ? 'kept' : 'former';
  }

  /** Reports every change of a value until the returned function is called. */
  onChange(listener: (change: DecisionChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Another person, or more known of this one; what is on its way for the one before is dropped. True when it is another subject. */
  ofSubject(subject: Subject): boolean {
    const text = jsonText(subject);
    if (text === this.subject) return false;
    this.subject = text;
    this.isFresh = false;
    // What the server last answered for this subject is the first thing to show, and needs not be sent again; the values of a page stand before it.
    const kept = readKept<KeptAnswer>(this.connection.platform.store, this.storeKey);
    this.answer = kept?.subject === text ? kept : null;
    if (this.answer && this.shownFor !== null) this.take(this.answer, false);
    return true;
  }

  /** Asks the server; `pass` is what a notice gave for this. Of several at once the latest that was answered counts. */
  async refresh(pass?: string): Promise<Refreshed> {
    this.asked += 1;
    const { asked, subject, answer } = this;
    const response = await ask(this.connection, '/api/v1/handshake', subject, {
      ...(answer ? { 'if-none-match': answer.etag } : {}),
      ...(pass ? { 'quarterdeck-refetch': pass } : {}),
    });
    const status = response?.status ?? 0;
    const isNew = status === 200;
    const body = isNew && response ? await jsonOf(response) : null;
    // A body that broke off is no answer.
    if (!response || status === 429 || status >= 500 || (isNew && body === null))
      return { is: 'busy', retryAfter: response?.headers.get('retry-after') ?? null };
    if (!isNew && status !== 304) return { is: 'refused', status };
    // What another tab was given meanwhile may be newer.
    if (asked === this.answered) return this.refresh(pass);
    const latest = isNew ? { subject, etag: response.headers.get('etag') ?? '', body } : answer;
    // An earlier request may be answered later.
    if (asked > this.answered && latest && this.take(latest)) {
      this.answered = asked;
      // Tabs that ask about different things would answer each other for ever where something on the way takes the ETags.
      if (isNew && JSON.stringify(latest.body) !== JSON.stringify(answer?.body)) this.options.onAnswer?.(latest);
    }
    return { is: 'fresh', stream: response.headers.get('quarterdeck-stream') };
  }

  /** Takes an answer that this or another tab was given; false when it is for somebody else or none. */
  take(answer: KeptAnswer, isFresh = true): boolean {
    const latest = answer?.subject === this.subject ? decisionsOf(answer.body) : null;
    if (!latest) return false;
    this.answer = answer;
    if (isFresh) this.answered = this.asked;
    this.connection.platform.store.set(this.storeKey, JSON.stringify(answer));
    const { decisions, knowledge } = this;
    const isSamePerson = personOf(this.shownFor ?? this.subject) === personOf(this.subject);
    const isHeld = this.options.hold && knowledge !== 'nothing' && isSamePerson;
    this.decisions = isHeld ? heldBut(decisions, latest) : latest;
    this.isFresh = isFresh;
    this.shownFor = this.subject;
    const change = changeBetween(decisions, this.decisions);
    const isOthers = knowledge === 'nothing' || knowledge === 'former';
    if (isOthers || change.flags.length + change.config.length > 0) for (const tell of this.listeners) tell(change);
    return true;
  }
}
