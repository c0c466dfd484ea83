import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import pg from 'pg';

/** What one request may read, all its statements together. */
export interface ReadingLimits {
  /** Of the rows that the database sends. */
  bytes: number;
  milliseconds: number;
}

const CODE = 'READING_LIMIT';

/** Says which limit a request has reached. */
class ReadingLimitReached extends Error {
  readonly code = CODE;

  constructor(
    readonly what: keyof ReadingLimits,
    readonly limit: number,
  ) {
    super(`what one request reads takes more than ${limit} ${what}`);
  }
}

interface Budget {
  limits: ReadingLimits | undefined;
  bytesLeft: number;
  endsAt: number;
}

const budgets = new AsyncLocalStorage<Budget>();

/** Answers a request that {@link boundReading} can bound. */
export function withReadingBudget<T>(answer: () => T): T {
  return budgets.run({ limits: undefined, bytesLeft: 0, endsAt: 0 }, answer);
}

/**
 * Bounds what the request reads from now on. The connection of a statement that goes beyond is cut, so that neither side holds the
 * rest in memory or goes on working for it; the statement fails with what {@link reachedReadingLimit} knows.
 */
export function boundReading(limits: ReadingLimits): void {
  const budget = budgets.getStore();
  if (budget)
    Object.assign(budget, { limits, bytesLeft: limits.bytes, endsAt: performance.now() + limits.milliseconds });
}

/** Reads what is kept for others too, outside the budget of the request that happens to be first. */
export function readShared<T>(read: () => T): T {
  return budgets.exit(read);
}

/** Which limit a failed statement has reached; undefined for every other failure. */
export function reachedReadingLimit(error: unknown): { what: string; limit: number } | undefined {
  const { code, what, limit } = error as { code?: unknown; what?: unknown; limit?: unknown };
  return code === CODE ? { what: String(what), limit: Number(limit) } : undefined;
}

/** Node keeps a list of timers for each length that there is: those of the same one cost next to nothing. */
const TIMER_STEP_MS = 50;

interface Connection {
  stream: Socket;
  on(event: 'dataRow', listener: (message: { length: number }) => void): void;
  on(event: 'readyForQuery', listener: () => void): void;
}

/** A client of PostgreSQL that keeps to the budget of the request whose statements it runs. */
export class BoundedClient extends pg.Client {
  private budget: Budget | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Why the connection was cut. */
  private reached: ReadingLimitReached | undefined;

  constructor(...given: ConstructorParameters<typeof pg.Client>) {
    super(...given);
    // An assigned method, because the overloads of `query` cannot be overridden in a typed way.
    this.query = ((...asked: unknown[]) => {
      this.begin();
      const last = asked.at(-1);
      if (typeof last === 'function')
        asked[asked.length - 1] = (error: unknown, result: unknown) => last(error ?? this.reached, result);
      const answer = (pg.Client.prototype.query as (...given: unknown[]) => unknown).apply(this, asked);
      return answer instanceof Promise ? answer.then((result) => this.within(result)) : answer;
    }) as typeof this.query;
    const connection = this.wire;
    connection.on('dataRow', ({ length }) => this.spend(length));
    connection.on('readyForQuery', () => clearTimeout(this.timer));
    // Whoever waits for the statement is told; a lost connection that nobody listens to would end the process.
    this.on('error', () => clearTimeout(this.timer));
  }

  private get wire(): Connection {
    return (this as unknown as { connection: Connection }).connection;
  }

  private begin(): void {
    const budget = budgets.getStore();
    this.budget = budget;
    if (!budget?.limits) return;
    clearTimeout(this.timer);
    const left = Math.max(0, budget.endsAt - performance.now());
    this.timer = setTimeout(() => this.cut('milliseconds'), Math.ceil(left / TIMER_STEP_MS) * TIMER_STEP_MS);
    this.timer.unref();
  }

  /** The row that went beyond may have been the last, and then the statement has ended well before the connection has. */
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
    const { stream } = this.wire;
    const limit = this.budget?.limits?.[what];
    if (limit === undefined || stream.destroyed) return;
    this.reached = new ReadingLimitReached(what, limit);
    stream.destroy(this.reached);
  }
}
