import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import pg from 'pg';

const CODE = 'ROWS_TOO_LARGE';

/** Says that the database had more bytes for one request than the request may read. */
class RowsTooLarge extends Error {
  readonly code = CODE;

  constructor(readonly limit: number) {
    super(`the rows of one request have more than ${limit} bytes`);
  }
}

/** How many bytes of rows the database may still send for a request. */
interface Budget {
  limit: number;
  left: number;
}

const budgets = new AsyncLocalStorage<Budget>();

/** Answers a request that {@link boundReading} can bound. */
export function withReadingBudget<T>(answer: () => T): T {
  return budgets.run({ limit: Number.POSITIVE_INFINITY, left: Number.POSITIVE_INFINITY }, answer);
}

/**
 * From now on the database sends at most so many bytes of rows for the request, all its statements together. The connection of a
 * statement that brings more is cut, so that neither side holds the rest in memory; the statement fails with what
 * {@link readTooMuch} knows.
 */
export function boundReading(bytes: number): void {
  const budget = budgets.getStore();
  if (budget) Object.assign(budget, { limit: bytes, left: bytes });
}

/** Reads what is kept for others too, outside the budget of the request that happens to be first. */
export function readShared<T>(read: () => T): T {
  return budgets.exit(read);
}

/** The limit that a request has reached; undefined for every other failure. */
export function readTooMuch(error: unknown): number | undefined {
  const { code, limit } = error as { code?: unknown; limit?: unknown };
  return code === CODE ? Number(limit) : undefined;
}

interface Connection {
  stream: Socket;
  on(event: 'dataRow', listener: (message: { length: number }) => void): void;
}

/** A client of PostgreSQL that keeps to the budget of the request whose statement it runs. */
export class BoundedClient extends pg.Client {
  private budget: Budget | undefined;

  constructor(...given: ConstructorParameters<typeof pg.Client>) {
    super(...given);
    // An assigned method, because the overloads of `query` cannot be overridden in a typed way.
    this.query = ((...asked: unknown[]) => {
      this.budget = budgets.getStore();
      return (pg.Client.prototype.query as (...given: unknown[]) => unknown).apply(this, asked);
    }) as typeof this.query;
    const { connection } = this as unknown as { connection: Connection };
    connection.on('dataRow', ({ length }) => this.spend(length, connection.stream));
    // Whoever waits for the statement is told; a lost connection that nobody listens to would end the process.
    this.on('error', () => undefined);
  }

  private spend(bytes: number, stream: Socket): void {
    if (!this.budget) return;
    this.budget.left -= bytes;
    if (this.budget.left < 0 && !stream.destroyed) stream.destroy(new RowsTooLarge(this.budget.limit));
  }
}
