import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Actor } from './actor.js';
import { INSTANTS_AS_TEXT } from './database/instant-text.js';

/** Who calls and from where, settled by a face before any transaction is open. */
export interface Caller {
  readonly actor: Actor;
  readonly requestId: string;
  /** Client address after trusted proxies; null for work that no request asked for. */
  readonly address: string | null;
}

type AfterCommit = () => void | Promise<void>;

/** A statement of a busy path, prepared under its name once a connection; `$1` and so on stand for values. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Whether its instants come as ISO 8601 text in UTC, as answers show them, instead of as dates. */
  readonly instantsAsText?: boolean;
}

/** Asks for work to be done while no transaction is open; see {@link Context.beforehand}. */
export class Beforehand extends Error {
  constructor(readonly work: () => Promise<void>) {
    super('work that must not be waited for within a transaction');
  }
}

/** What every verb gets first: the caller, the one EntityManager of its transaction, and the time at which it began. */
export class Context implements Caller {
  readonly actor: Actor;
  readonly requestId: string;
  readonly address: string | null;

  constructor(
    caller: Caller,
    private source: EntityManager | (() => EntityManager),
    private readonly begun: Date,
    private readonly actions: AfterCommit[] | null,
    private readonly pool: Pool,
  ) {
    this.actor = caller.actor;
    this.requestId = caller.requestId;
    this.address = caller.address;
  }

  /** The one EntityManager of the verb's transaction. A reader makes it on first use: busy paths never need it. */
  get em(): EntityManager {
    if (typeof this.source === 'function') this.source = this.source();
    return this.source;
  }

  /** Whether no transaction is open, so that nothing is changed here. */
  get isReading(): boolean {
    return this.actions === null;
  }

  /**
   * The rows that a statement answers, without entities, on any connection. Only while no transaction is open: it would not
   * see what the transaction has changed.
   */
  async rows<T extends object>({ name, text, instantsAsText }: Statement, values: unknown[]): Promise<T[]> {
    if (!this.isReading) throw new Error(`${name} must not be read within a transaction`);
    const types = instantsAsText ? { types: INSTANTS_AS_TEXT } : {};
    return (await this.pool.query<T>({ name, text, values, ...types })).rows;
  }

  /** The instant at which the verb began: all rows of one change carry the same. */
  now(): Date {
    return this.begun;
  }

  /** Runs an action once the transaction is durable, never when it rolled back; a read runs it at once. Its failure is logged and does not reach the caller. */
  afterCommit(action: AfterCommit): void {
    if (this.actions) this.actions.push(action);
    else void action();
  }

  /**
   * Does work that takes time and needs no database, such as waiting for a thread, while no transaction holds a connection
   * and locks: a reader does it at once; a writer rolls back, does it, and runs the verb again, which must then find it done.
   * Call it only for work that is not done yet. Fails as the work does.
   */
  beforehand(work: () => Promise<void>): Promise<void> {
    if (this.isReading) return work();
    throw new Beforehand(work);
  }

  /** The same transaction on behalf of another actor. */
  as(actor: Actor): Context {
    return new Context(
      { ...this, actor, requestId: this.requestId, address: this.address },
      this.source,
      this.begun,
      this.actions,
      this.pool,
    );
  }
}

/** A caller that is the server itself. */
export function systemCaller(name: string, requestId: string): Caller {
  return { actor: { kind: 'system', name }, requestId, address: null };
}
