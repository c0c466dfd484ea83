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

/** The subject of a decision, and what rules can read about it (docs/rest.md, Handshake). */
export interface Subject {
  readonly distinct_id: string;
  readonly platform?: string | undefined;
  readonly app_version?: string | undefined;
  readonly os_version?: string | undefined;
  readonly locale?: string | undefined;
  readonly context?: Readonly<Record<string, Json>> | undefined;
}

/** An answer as stored and passed between tabs. */
export interface KeptAnswer {
  /** Its subject, as JSON. */
  readonly subject: string;
  readonly etag: string;
  readonly body: unknown;
}

/** Whose values are shown (docs/sdk.md, Browser). */
export type Knowledge = 'fresh' | 'kept' | 'former' | 'nothing';

export interface DecisionOptions {
  readonly bootstrap?: Bootstrap | undefined;
  /** Freezes what is shown until the next start, except for halted flags. */
  readonly hold?: boolean | undefined;
  /** Called with every answer from the server, for other tabs. */
  readonly onAnswer?: (answer: KeptAnswer) => void;
}

const personOf = (subject: string) => (parsedJson(subject) as Subject).distinct_id;

/** The decisions for one person: first the stored answer, then fresher ones as they arrive. */
export class DecisionClient {
  /** What is shown. */
  decisions: Decisions;
  private answer?: KeptAnswer | null;
  /** The current subject, as JSON. */
  subject = '';
  /** Numbers of the latest request and of the one whose answer is shown. */
  private asked = 0;
  private answered = 0;
  private isFresh = false;
  /** The subject of the shown answer; null for the page's own values, undefined when there is nothing. */
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

  /**
   * Whether what is shown is the server's current answer for this subject, an earlier one, one for the previous
   * subject, or nothing.
   */
  get knowledge(): Knowledge {
    if (this.isFresh) return 'fresh';
    if (this.shownFor === undefined) return 'nothing';
    return (this.shownFor ?? this.subject) === this.subject ? 'kept' : 'former';
  }

  /** Reports every value change until the returned function is called. */
  onChange(listener: (change: DecisionChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Sets the subject and drops requests in flight for the previous one. True when the subject changed. */
  ofSubject(subject: Subject): boolean {
    const text = jsonText(subject);
    if (text === this.subject) return false;
    this.subject = text;
    this.isFresh = false;
    // The last answer for this subject is shown first and not sent again; a page's own values take precedence.
    const kept = readKept<KeptAnswer>(this.connection.platform.store, this.storeKey);
    this.answer = kept?.subject === text ? kept : null;
    if (this.answer && this.shownFor !== null) this.take(this.answer, false);
    return true;
  }

  /**
   * Asks the server and returns its answer; `pass` comes from a change notice. Of several at once, the latest answered
   * one counts.
   */
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
    // A truncated body is not an answer.
    if (!body) return null;
    // What another tab received in the meantime may be newer.
    if (asked === this.answered) return this.refresh(pass);
    const latest = { subject, etag: response.headers.get('etag') ?? '', body };
    // An earlier request may be answered later than this one.
    if (asked > this.answered && this.take(latest)) {
      this.answered = asked;
      if (isNew) this.options.onAnswer?.(latest);
    }
    return response;
  }

  /** Takes an answer that this or another tab received; false when it is invalid or for another subject. */
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
