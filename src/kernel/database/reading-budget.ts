import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { SingleTimer } from '../turns/single-timer.js';
import { withKnownColumns } from './known-columns.js';

/** Limits on what one request can read with all its statements. */
export interface ReadingLimits {
  /** Size of the rows that the database sends. */
  bytes: number;
  milliseconds: number;
}

const CODE = 'READING_LIMIT';

class ReadingLimitReached extends Error {
  readonly code = CODE;

  constructor(
    readonly what: keyof ReadingLimits,
    readonly limit: number,
  ) {
    super(`one request reads more than ${limit} ${what}`);
  }
}

interface Budget {
  limits: ReadingLimits | undefined;
  bytesLeft: number;
  endsAt: number;
}

const budgets = new AsyncLocalStorage<Budget>();

/** Runs a request that {@link boundReading} can bound. */
export function withReadingBudget<T>(answer: () => T): T {
  return budgets.run({ limits: undefined, bytesLeft: 0, endsAt: 0 }, answer);
}

/**
 * Bounds what the request reads from now on. The connection of a statement over the limit is cut, so that neither side
 * buffers the rest or keeps working on it; the statement fails with an error that {@link reachedReadingLimit}
 * recognizes.
 */
export function boundReading(limits: ReadingLimits): void {
  const budget = budgets.getStore();
  if (!budget) return;
  budget.limits = limits;
  budget.bytesLeft = limits.bytes;
  budget.endsAt = performance.now() + limits.milliseconds;
}

/** Reads shared data outside the budget of the request that happens to need it first. */
export const readShared = <T>(read: () => T): T => budgets.exit(read);

/** The limit that a failed statement has reached; undefined for any other failure. */
export function reachedReadingLimit(error: unknown): { what: string; limit: number } | undefined {
  const { code, what, limit } = error as { code?: unknown; what?: unknown; limit?: unknown };
  return code === CODE ? { what: String(what), limit: Number(limit) } : undefined;
}

/** How late a slow statement may be detected: a timer per statement would cost more than all other limits. */
const CHECK_MS = 50;

/** Clients running a bounded statement. */
const bounded = new Set<BoundedClient>();
const checking = new SingleTimer(() => {
  const now = performance.now();
  for (const one of bounded) one.endIfLate(now);
  if (bounded.size === 0) checking.stop();
});

function watch(client: BoundedClient): void {
  bounded.add(client);
  checking.every(CHECK_MS);
}

/** A PostgreSQL client that enforces the budget of the request whose statements it runs. */
export class BoundedClient extends pg.Client {
  private budget: Budget | undefined;
  /** Why the connection was cut. */
  private reached: ReadingLimitReached | undefined;

  constructor(...given: ConstructorParameters<typeof pg.Client>) {
    super(...given);
    // An assigned method, because the overloads of `query` cannot be overridden in a typed way.
    this.query = ((...args: unknown[]) => {
      this.begin();
      const last = args.at(-1);
      if (typeof last === 'function') {
        args[0] = withKnownColumns(args[0]);
        args[args.length - 1] = (error: unknown, result: unknown) => last(error ?? this.reached, result);
      }
      const answer = (pg.Client.prototype.query as (...given: unknown[]) => unknown).apply(this, args);
      return answer instanceof Promise ? answer.then((result) => this.within(result)) : answer;
    }) as typeof this.query;
    this.connection.on('dataRow', ({ length }: { length: number }) => this.spend(length));
    this.connection.on('readyForQuery', () => bounded.delete(this));
    // The statement's caller gets the error; an unhandled connection error would end the process.
    this.on('error', () => bounded.delete(this));
  }

  /** Cuts the connection when its statement has used up the remaining time. */
  endIfLate(now: number): void {
    if (this.budget && now >= this.budget.endsAt) this.cut('milliseconds');
  }

  private begin(): void {
    this.budget = budgets.getStore();
    if (this.budget?.limits) watch(this);
    else bounded.delete(this);
  }

  /** If the row over the limit was the last one, the statement succeeds before the connection ends. */
  private within<Result>(result: Result): Result {
    if (this.reached) throw this.reached;
    return result;
  }

  private spend(bytes: number): void {
    if (!this.budget?.limits) return;
    this.budget.bytesLeft -= bytes;
    if (this.budget.bytesLeft < 0) this.cut('bytes');
  }

  private cut(what: keyof ReadingLimits): void {
    bounded.delete(this);
    const { stream } = this.connection;
    const limit = this.budget?.limits?.[what];
    if (limit === undefined || stream.destroyed) return;
    this.reached = new ReadingLimitReached(what, limit);
    stream.destroy(this.reached);
  }
}
