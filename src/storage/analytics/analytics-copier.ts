import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/logger.js';
import type { SingletonLock } from '../embedded/singleton-lock.js';
import type { AnalyticsDataset } from './analytics-dataset.js';
import { eraseRows } from './analytics-erasing.js';
import type { Addition, AnalyticsOutbox } from './analytics-outbox.js';
import type { AnalyticsState } from './analytics-state.js';
import type { AnalyticsTables } from './analytics-tables.js';
import type { ClickHouse } from './clickhouse.js';

export interface CopierParts {
  store: ClickHouse;
  state: AnalyticsState;
  outbox: AnalyticsOutbox;
  tables: AnalyticsTables;
  datasets: readonly AnalyticsDataset[];
  lock: SingletonLock;
  logger: Logger;
  onCopied: (dataset: string, rows: number) => void;
}

/** Notes taken at once, and rows and bytes per insert; a larger page of a dataset gets its own insert. */
const NOTES = 500;
const ROWS = 10_000;
const BYTES = 16 * 1024 * 1024;
const IDLE_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** How often the server and its tables are checked even if nothing failed. */
const CHECK_MS = 15_000;

/** An insert being collected, with the notes to remove once it is stored. */
interface Batch {
  lines: string[];
  bytes: number;
  finished: string[];
  partial: { sequences: string[]; to: string } | null;
}

/**
 * Copies noted rows to ClickHouse at least once; duplicates collapse there by id. One process per database copies at a
 * time and continues where the last one stopped. Nothing waits for it, and while ClickHouse is unavailable it retries
 * with growing pauses.
 */
export class AnalyticsCopier {
  private stopping: AbortController | null = null;
  private running: Promise<void> = Promise.resolve();
  private failures = 0;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private isFilled = false;

  constructor(private readonly parts: CopierParts) {}

  /** Whether the last attempt of this process failed. */
  get isFailing(): boolean {
    return this.failures > 0;
  }

  start(): void {
    const stopping = new AbortController();
    this.stopping = stopping;
    this.running = this.run(stopping.signal);
  }

  /** Aborts the current copy; what ClickHouse has not confirmed is copied again later. */
  async stop(): Promise<void> {
    this.stopping?.abort();
    await this.parts.store.close();
    await this.running;
    await this.parts.lock.release();
  }

  /** Copies until nothing is waiting. Rejects at the first failure; false while another process is the copier. */
  async drain(): Promise<boolean> {
    for (;;) {
      const state = await this.step();
      if (state !== 'more') return state === 'done';
    }
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const wait = await this.attempt();
      if (wait > 0) await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** One step; returns the milliseconds to the next. */
  private async attempt(): Promise<number> {
    try {
      const state = await this.step();
      if (this.failures > 0) this.parts.logger.info({}, 'the analytics store accepts its copy again');
      this.failures = 0;
      return state === 'more' ? 0 : IDLE_MS;
    } catch (error) {
      if (this.stopping?.signal.aborted) return 0;
      const { logger, outbox } = this.parts;
      if (this.failures++ === 0) logger.warn({ err: error }, 'copying to the analytics store failed; retrying');
      await outbox.fold().catch(() => undefined);
      return Math.min(IDLE_MS * 2 ** Math.min(this.failures - 1, 10), LONGEST_WAIT_MS) * (0.75 + Math.random() / 2);
    }
  }

  private async step(): Promise<'more' | 'done' | 'standing by'> {
    try {
      if (!(await this.parts.lock.acquire())) return 'standing by';
      if (performance.now() - this.checkedAt > CHECK_MS) await this.check();
      if (!this.isFilled) await this.fill();
      const erased = await this.erase();
      const additions = await this.parts.outbox.additions(NOTES);
      await this.copyAll(additions);
      return erased || additions.length > 0 || !this.isFilled ? 'more' : 'done';
    } catch (error) {
      this.checkedAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  private async check(): Promise<void> {
    const { store, state, tables } = this.parts;
    await state.seen();
    await store.ping();
    this.isFilled = (await tables.prepare()).isFilled;
    this.checkedAt = performance.now();
  }

  /** Notes what was stored before the copy began, once every transaction unaware of it has ended. */
  private async fill(): Promise<void> {
    const { state, datasets } = this.parts;
    if (!(await state.hasBegun())) {
      await sleep(50);
      return;
    }
    for (const dataset of datasets) await dataset.noteAll();
    await state.filled();
    this.isFilled = true;
  }

  private async erase(): Promise<boolean> {
    const { store, outbox, datasets } = this.parts;
    const erasures = await outbox.erasures();
    for (const erasure of erasures) {
      const dataset = datasets.find(({ name }) => name === erasure.dataset);
      if (dataset) await eraseRows(store, dataset, erasure);
      await outbox.applied(erasure);
    }
    return erasures.length > 0;
  }

  private async copyAll(additions: readonly Addition[]): Promise<void> {
    for (const dataset of this.parts.datasets) {
      const batch: Batch = { lines: [], bytes: 0, finished: [], partial: null };
      for (const addition of additions) {
        if (addition.dataset === dataset.name) await this.copy(dataset, addition, batch);
      }
      await this.store(dataset, batch);
    }
  }

  private async copy(dataset: AnalyticsDataset, addition: Addition, batch: Batch): Promise<void> {
    for (let { after } = addition; ; ) {
      const page = await dataset.read(addition.selection, after, ROWS);
      const bytes = page.lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
      if (batch.bytes + bytes > BYTES) await this.store(dataset, batch);
      batch.lines.push(...page.lines);
      batch.bytes += bytes;
      if (page.isLast) batch.finished.push(...addition.sequences);
      else batch.partial = { sequences: addition.sequences, to: page.last as string };
      if (!page.isLast || batch.lines.length >= ROWS) await this.store(dataset, batch);
      if (page.isLast) return;
      after = page.last;
    }
  }

  /** Notes are removed only after ClickHouse has confirmed the rows. */
  private async store({ name, table }: AnalyticsDataset, batch: Batch): Promise<void> {
    const { store, outbox, lock, onCopied } = this.parts;
    if (!lock.isHeld) throw new Error('the connection that holds the copier lock was lost');
    if (batch.lines.length > 0) await store.insert(table, batch.lines);
    if (batch.finished.length > 0 || batch.partial) await outbox.finish(batch.finished, batch.partial);
    onCopied(name, batch.lines.length);
    batch.lines = [];
    batch.bytes = 0;
    batch.finished = [];
    batch.partial = null;
  }
}
