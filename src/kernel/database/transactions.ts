import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Clock } from '../clock.js';
import { Beforehand, type Caller, Context } from '../context.js';
import type { Logger } from '../logger.js';
import { isRetryableConflict } from './database-failures.js';

const ATTEMPTS = 3;

/**
 * The only source of EntityManagers. A write is one READ COMMITTED transaction: it is durable when the promise resolves
 * and leaves nothing behind when it rejects. Deadlock victims are retried up to three times, as is a verb that
 * requested work beforehand, once that is done.
 */
export class Transactions {
  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly pool: Pool,
  ) {}

  async write<T>(caller: Caller, verb: (ctx: Context) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; ) {
      const actions: (() => void | Promise<void>)[] = [];
      try {
        const result = await this.fork().transactional((em) =>
          verb(new Context(caller, em as EntityManager, this.clock.now(), actions, this.pool, attempt > 1)),
        );
        await this.runAfterCommit(caller, actions);
        return result;
      } catch (error) {
        if (error instanceof Beforehand) await error.work();
        else if (attempt++ === ATTEMPTS || !isRetryableConflict(error)) throw error;
      }
    }
  }

  /** A context without a transaction, for read-only verbs. */
  async read<T>(caller: Caller, verb: (ctx: Context) => Promise<T>): Promise<T> {
    return verb(this.reader(caller));
  }

  /** A read context that outlives one verb: a GraphQL operation resolves all of its fields with it. */
  reader(caller: Caller): Context {
    return new Context(caller, () => this.fork(), this.clock.now(), null, this.pool);
  }

  private fork(): EntityManager {
    return this.orm.em.fork() as EntityManager;
  }

  private async runAfterCommit(caller: Caller, actions: (() => void | Promise<void>)[]): Promise<void> {
    for (const action of actions) {
      try {
        await action();
      } catch (error) {
        this.logger.error({ err: error, requestId: caller.requestId }, 'an action after a commit failed');
      }
    }
  }
}
