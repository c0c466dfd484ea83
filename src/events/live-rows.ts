import type { Environment } from '../kernel/actor.js';
import { type Context, systemCaller } from '../kernel/context.js';
import type { Transactions } from '../kernel/database/transactions.js';
import type { Logger } from '../kernel/logger.js';
import { type PacedRow, PacedRows } from './paced-rows.js';
import type { RowTail } from './row-tail.js';

/** What a listener covers: a project, and one of its environments or both. */
export interface RowPlace {
  readonly projectId: string;
  readonly environment: Environment | null;
}

export interface RowKind<Row> {
  /** The tail's places that belong to it. */
  readonly placesOf: (place: RowPlace) => readonly string[];
  readonly read: (ctx: Context, place: RowPlace, ids: readonly string[]) => Promise<readonly Row[]>;
}

/** Stored rows of a kind, from any process: at most twenty per second for each listener, plus how many were left out. */
export class LiveRows<Row extends object = object> {
  constructor(
    private readonly tail: RowTail,
    private readonly kind: RowKind<Row>,
    private readonly tx: Transactions,
    private readonly logger: Logger,
  ) {}

  /** Listens for rows from now on; the caller's permission isn't checked here. The returned function stops it. */
  listen(place: RowPlace, hear: (row: PacedRow<Row>) => void): () => void {
    const { kind, tx, logger } = this;
    const paced = new PacedRows<Row>(
      (ids) => tx.read(systemCaller('live rows'), (ctx) => kind.read(ctx, place, ids)),
      hear,
      (err) => logger.warn({ err }, 'stored rows could not be read for listeners'),
    );
    const ends = kind.placesOf(place).map((each) => this.tail.listen(each, (rows) => paced.add(rows)));
    return () => {
      for (const end of ends) end();
      paced.end();
    };
  }
}
