import { SingleTimer } from '../kernel/turns/single-timer.js';
import { REPORTED_IDS, type StoredRows } from './row-tail.js';

/** A row, and how many unreported rows were stored since the previous one. */
export interface PacedRow<Row> {
  readonly row: Row;
  readonly leftOut: number;
}

const SECOND_MS = 1_000;

/**
 * Lets at most {@link REPORTED_IDS} rows through per second, in storage order, and counts the rest: the last row of a batch says how many were
 * left out.
 */
export class PacedRows<Row> {
  /** When rows were reported, within the last second. */
  private reportedAt: number[] = [];
  private ids: string[] = [];
  private count = 0;
  /** Rows left out and not yet counted in a report. */
  private unreported = 0;
  private readonly timer = new SingleTimer(() => this.go());
  private reading: Promise<void> | null = null;
  private ended = false;

  /** @param read the existing rows with these ids, in order */
  constructor(
    private readonly read: (ids: readonly string[]) => Promise<readonly Row[]>,
    private readonly report: (row: PacedRow<Row>) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  add({ ids, count }: StoredRows): void {
    this.ids.push(...ids);
    this.ids.splice(0, this.ids.length - REPORTED_IDS);
    this.count += count;
    this.go();
  }

  end(): void {
    this.ended = true;
    this.timer.stop();
  }

  private go(): void {
    if (this.ended || this.reading || this.count === 0) return;
    const now = performance.now();
    this.reportedAt = this.reportedAt.filter((at) => at > now - SECOND_MS);
    const last = this.reportedAt[this.reportedAt.length + this.ids.length - REPORTED_IDS - 1];
    if (last === undefined) {
      this.reading = this.reportAll()
        .catch(this.failed)
        .finally(() => {
          this.reading = null;
          this.go();
        });
      return;
    }
    this.timer.in(last + SECOND_MS - now);
  }

  private async reportAll(): Promise<void> {
    const { ids, count } = this;
    this.ids = [];
    this.count = 0;
    const rows = ids.length > 0 ? await this.read(ids) : [];
    if (this.ended) return;
    this.unreported += Math.max(0, count - rows.length);
    for (const [at, row] of rows.entries()) {
      this.reportedAt.push(performance.now());
      const leftOut = at === rows.length - 1 ? this.unreported : 0;
      this.unreported -= leftOut;
      this.report({ row, leftOut });
    }
  }
}
