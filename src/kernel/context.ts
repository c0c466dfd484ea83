import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from './actor.js';

/** Who calls and from where, settled by a face before any transaction is open. */
export interface Caller {
  readonly actor: Actor;
  readonly requestId: string;
  /** Client address after trusted proxies; null for work that no request asked for. */
  readonly address: string | null;
}

type AfterCommit = () => void | Promise<void>;

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

  /** The instant at which the verb began: all rows of one change carry the same. */
  now(): Date {
    return this.begun;
  }

  /** Runs an action once the transaction is durable, never when it rolled back; a read runs it at once. Its failure is logged and does not reach the caller. */
  afterCommit(action: AfterCommit): void {
    if (this.actions) this.actions.push(action);
    else void action();
  }

  /** The same transaction on behalf of another actor. */
  as(actor: Actor): Context {
    return new Context(
      { ...this, actor, requestId: this.requestId, address: this.address },
      this.em,
      this.begun,
      this.actions,
    );
  }
}

/** A caller that is the server itself. */
export function systemCaller(name: string, requestId: string): Caller {
  return { actor: { kind: 'system', name }, requestId, address: null };
}
