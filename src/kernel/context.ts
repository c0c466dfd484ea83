import type { EntityManager } from '@mikro-orm/postgresql';
import type { CustomTypesConfig, Pool } from 'pg';
import type { Actor } from './actor.js';
import { newUuid } from './ids.js';

/** Who calls and from where, established by a face before any transaction begins. */
export interface Caller {
  readonly actor: Actor;
  readonly requestId: string;
  /** Client address after trusted proxies; null for work without a request. */
  readonly address: string | null;
}

type AfterCommit = () => void | Promise<void>;

/** A statement on a busy path, with `$1` and so on for values. */
export interface Statement {
  /** The name it is prepared under, once per connection; without one it is planned for its values every time. */
  readonly name?: string;
  readonly text: string;
  /** Parsers for database values, where pg's own are not used. */
  readonly types?: CustomTypesConfig;
}

/** Requests work to be done outside a transaction; see {@link Context.beforehand}. */
export class Beforehand extends Error {
  constructor(readonly work: () => Promise<void>) {
    super('this work must not be awaited in a transaction');
  }
}

/** The first argument of every verb: the caller, the transaction's EntityManager, and the start time. */
export class Context implements Caller {
  readonly actor: Actor;
  readonly requestId: string;
  readonly address: string | null;

  constructor(
    caller: Caller,
    private source: EntityManager | (() => EntityManager),
    private readonly startedAt: Date,
    private readonly actions: AfterCommit[] | null,
    private readonly pool: Pool,
    /**
     * Whether the verb is being retried after a conflict with another transaction; it may then begin by locking others
     * out.
     */
    readonly isAgain = false,
  ) {
    this.actor = caller.actor;
    this.requestId = caller.requestId;
    this.address = caller.address;
  }

  /**
   * The EntityManager of the verb's transaction. A reader creates it on first use, because busy paths never need it.
   */
  get em(): EntityManager {
    if (typeof this.source === 'function') this.source = this.source();
    return this.source;
  }

  /** Whether no transaction is open, so nothing can be changed. */
  get isReading(): boolean {
    return this.actions === null;
  }

  /**
   * The rows of a statement, without entities, on any connection. Allowed only outside a transaction, whose changes it
   * would not see.
   */
  async rows<T extends object>(statement: Statement, values: unknown[]): Promise<T[]> {
    if (!this.isReading) throw new Error(`this must not be read in a transaction: ${statement.text}`);
    return (await this.pool.query<T>({ ...statement, values })).rows;
  }

  /** The time at which the verb began, used for all rows of one change. */
  now(): Date {
    return this.startedAt;
  }

  /** {@link now}, or a millisecond after the last change of a row if that is later, so that no two of its changes share a time. */
  nowAfter(last: Date): Date {
    return new Date(Math.max(this.startedAt.getTime(), last.getTime() + 1));
  }

  /**
   * Runs an action after the transaction commits, never after a rollback; a read runs it at once. Failures are logged
   * and do not reach the caller.
   */
  afterCommit(action: AfterCommit): void {
    if (this.actions) this.actions.push(action);
    else void action();
  }

  /**
   * Does slow work that needs no database, such as waiting for a thread, while no transaction holds a connection and
   * locks: a reader does it at once; a writer rolls back, does it, and runs the verb again, which must then find it
   * done. Call it only for work not done yet. Rethrows the work's errors.
   */
  beforehand(work: () => Promise<void>): Promise<void> {
    if (this.isReading) return work();
    throw new Beforehand(work);
  }

  as(actor: Actor): Context {
    return new Context(
      { actor, requestId: this.requestId, address: this.address },
      this.source,
      this.startedAt,
      this.actions,
      this.pool,
      this.isAgain,
    );
  }
}

export function systemCaller(name: string): Caller {
  return { actor: { kind: 'system', name }, requestId: newUuid(), address: null };
}
