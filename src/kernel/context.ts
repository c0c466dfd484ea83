import type { EntityManager } from '@mikro-orm/postgresql';
import type { CustomTypesConfig, Pool } from 'pg';
import type { Actor } from './actor.js';

/** Who calls and from where, settled by a face before any transaction is open. */
export interface Caller {
  readonly actor: Actor;
  readonly requestId: string;
  /** Client address after trusted proxies; null for work that no request asked for. */
  readonly address: string | null;
}

type AfterCommit = () => void | Promise<void>;

/** A statement of a busy path; `$1` and so on stand for values. */
export interface Statement {
  /** Under which it is prepared once a connection; without one it is planned for its values every time. */
  readonly name?: string;
  readonly text: string;
  /** Parsers of the database's values, where they are not pg's own. */
  readonly types?: CustomTypesConfig;
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
    /** Whether the verb runs again because another transaction got in its way; it may then begin by keeping others out. */
    readonly isAgain = false,
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
  async rows<T extends object>(statement: Statement, values: unknown[]): Promise<T[]> {
    if (!this.isReading) throw new Error(`within a transaction, this must not be read: ${statement.text}`);
    return (await this.pool.query<T>({ ...statement, values })).rows;
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
      this.isAgain,
    );
  }
}

export function systemCaller(name: string, requestId: string): Caller {
  return { actor: { kind: 'system', name }, requestId, address: null };
}
