import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Attempt, type Lane, WRITE_KINDS, type WriteTarget } from './write-kinds.js';

const PAUSE_AFTER_FAILURE_MS = 50;
type Kind = keyof typeof WRITE_KINDS;
const KINDS = Object.keys(WRITE_KINDS) as Kind[];

/** What became of the acknowledged writes. */
export interface WriteFindings {
  acknowledged: Record<Kind, number>;
  /** Kinds and ids of writes that were acknowledged but are missing. */
  lost: string[];
  /** Answers by status; requests without an answer under 0. */
  statuses: ReadonlyMap<number, number>;
  slowestMs: number;
}

/** Writers of every kind that never pause and remember what was acknowledged, whatever happens to the servers. */
export class Writers {
  private readonly acknowledged = new Map<Kind, Set<string>>(KINDS.map((kind) => [kind, new Set<string>()]));
  private readonly statuses = new Map<number, number>();
  private readonly loops: Promise<void>[] = [];
  private slowestMs = 0;
  private stopping = false;
  private waiting: (() => void)[] = [];

  private constructor(private readonly pauseMs: number) {}

  /** Starts `lanes` writers of each kind, each pausing for `pauseMs` between writes. */
  static async start(target: WriteTarget, { lanes = 1, pauseMs = 0 } = {}): Promise<Writers> {
    const writers = new Writers(pauseMs);
    const opened = KINDS.flatMap((kind) =>
      Array.from({ length: lanes }, async () => [kind, await WRITE_KINDS[kind].open(target)] as const),
    );
    for (const [kind, lane] of await Promise.all(opened)) writers.loops.push(writers.loop(kind, lane));
    return writers;
  }

  /** Resolves once every kind has been acknowledged again. */
  async nextOfEachKind(): Promise<void> {
    const before = KINDS.map((kind) => this.countOf(kind));
    while (KINDS.some((kind, at) => this.countOf(kind) === before[at]))
      await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.loops);
  }

  /** The number of answers with a status. */
  answers(status: number): number {
    return this.statuses.get(status) ?? 0;
  }

  /** Compares what was acknowledged with what is stored. */
  async findings(database: pg.Client | pg.Pool): Promise<WriteFindings> {
    const lost: string[] = [];
    for (const kind of KINDS) {
      const { rows } = await database.query<{ id: string }>(WRITE_KINDS[kind].stored);
      const stored = new Set(rows.map(({ id }) => id));
      for (const id of this.acknowledged.get(kind) ?? []) if (!stored.has(id)) lost.push(`${kind} ${id}`);
    }
    return {
      acknowledged: Object.fromEntries(KINDS.map((kind) => [kind, this.countOf(kind)])) as Record<Kind, number>,
      lost,
      statuses: this.statuses,
      slowestMs: this.slowestMs,
    };
  }

  private countOf(kind: Kind): number {
    return this.acknowledged.get(kind)?.size ?? 0;
  }

  private async loop(kind: Kind, write: Lane): Promise<void> {
    while (!this.stopping) {
      const begun = performance.now();
      const { status, acknowledged } = await write().catch((): Attempt => ({ status: 0, acknowledged: null }));
      this.slowestMs = Math.max(this.slowestMs, performance.now() - begun);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (acknowledged === null) await sleep(PAUSE_AFTER_FAILURE_MS);
      else {
        this.acknowledged.get(kind)?.add(acknowledged);
        for (const resolve of this.waiting.splice(0)) resolve();
        await sleep(this.pauseMs);
      }
    }
  }
}

/** In words, such as `81 batches, 40 config changes`. */
export function acknowledgedText({ acknowledged }: WriteFindings): string {
  return KINDS.map((kind) => `${acknowledged[kind]} ${kind === 'batch' ? 'batche' : kind}s`).join(', ');
}

/** The number of answers with a status of 500 or more. */
export function serverErrors({ statuses }: Pick<WriteFindings, 'statuses'>): number {
  return [...statuses].reduce((sum, [status, n]) => (status >= 500 ? sum + n : sum), 0);
}
