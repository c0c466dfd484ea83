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
import type { HttpAnswer } from './platform.js';

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
  private answer?: KeptAnswer | null;
  /** Whom it asks for, as JSON. */
  subject = '';
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

  /** Asks the server, whose answer it returns; `pass` is what a notice gave for this. Of several at once the latest that was answered counts. */
  async refresh(pass?: string): Promise<HttpAnswer | null> {
    this.asked += 1;
    const { asked, subject, answer } = this;
    const response = await ask(this.connection, '/api/v1/handshake', subject, {
      ...(answer && { 'if-none-match': answer.etag }),
      ...(pass && { 'quarterdeck-refetch': pass }),
    });
    const isNew = response?.status === 200;
    if (!isNew && response?.status !== 304) return response;
    const body = isNew ? await jsonOf(response) : answer?.body;
    // A body that broke off is no answer.
    if (!body) return null;
    // What another tab was given meanwhile may be newer.
    if (asked === this.answered) return this.refresh(pass);
    const latest = { subject, etag: response.headers.get('etag') ?? '', body };
    // An earlier request may be answered later.
    if (asked > this.answered && this.take(latest)) {
      this.answered = asked;
      if (isNew) this.options.onAnswer?.(latest);
    }
    return response;
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
