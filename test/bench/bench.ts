/**
 * The interface of a bench. A file `test/bench/<name>.bench.ts` exports
 *
 *     export const name = 'handshake';                                  // as in: npm run bench -- handshake
 *     export async function run(bench: BenchContext): Promise<BenchRow[]> { … }
 *
 * and measures its limit or peer in the same run as the product: `alternate(bench.rounds, { product, peer })` in
 * harness/rounds.ts returns the values by round, and `row()` below computes the medians, the ratio and the verdict. Use
 * `bench.startServer()` for servers, `sendLoad()` (harness/load.ts) for load, `startBareKoa()` for bare Koa, and
 * `cpuMicrosOfTree(pid)` (harness/cpu.ts) for CPU, with `bench.databasePid` for the database.
 */

import { median, spread } from '../harness/rounds.js';
import type { ServerOptions, ServerProcess } from '../harness/server-process.js';

/** What the runner passes to a bench. */
export interface BenchContext {
  /** Measured rounds per side: BENCH_ROUNDS, 5. */
  rounds: number;
  /** Length of one measurement in seconds: BENCH_SECONDS, 3. */
  seconds: number;
  /** URL of the maintenance database of the PostgreSQL server that the run uses. */
  databaseUrl: string;
  /** Process id of that PostgreSQL server, for {@link cpuMicrosOfTree}. */
  databasePid: number;
  /** Creates an empty database on that server and returns its URL. */
  createDatabase(): Promise<string>;
  /**
   * Starts the product on an empty database of its own (unless env names one). It is stopped after the bench at the
   * latest.
   */
  startServer(options?: ServerOptions): Promise<ServerProcess>;
  /** Reports progress as one line. */
  log(line: string): void;
}

/** One measured row of the table. */
export interface BenchRow {
  /** What was measured, as in the table of goals: `batch, 100 operations, 64 connections`. */
  path: string;
  unit: string;
  /** Median over the rounds. */
  value: number;
  /** (largest − smallest) ÷ median over the rounds. */
  spread: number;
  /** The limit or peer in the same run, and its median. */
  peer?: { what: string; value: number; spread: number };
  /** Median of the per-round ratios of value to peer; absent for a row without a peer. */
  ratio?: number;
  /**
   * The range of the per-round ratios, or of the values if there is no peer. With five rounds or more, the best and the
   * worst are excluded.
   */
  range?: readonly [number, number];
  /** The goal for `ratio`, or for `value` without a peer. */
  goal?: Goal;
  /** Additional figures by name: `p99 ms`, `server µs/op`, `database µs/op`, `generator µs/op`, `RSS MiB`. */
  more?: Record<string, number>;
}

/** A bound on the ratio if there is a peer, otherwise on the value. */
export interface Goal {
  atLeast?: number;
  atMost?: number;
}

/** Builds a row from the measurements of the rounds. `peer.values[i]` belongs to the same round as `values[i]`. */
export function row(measured: {
  path: string;
  unit: string;
  values: readonly number[];
  peer?: { what: string; values: readonly number[] };
  goal?: Goal;
  more?: Record<string, number>;
}): BenchRow {
  const { path, unit, values, peer, goal, more } = measured;
  const made: BenchRow = { path, unit, value: median(values), spread: spread(values) };
  const ratios = peer && values.map((value, round) => value / (peer.values[round] ?? Number.NaN));
  if (peer) made.peer = { what: peer.what, value: median(peer.values), spread: spread(peer.values) };
  if (ratios) made.ratio = median(ratios);
  made.range = rangeOf(ratios ?? values);
  if (goal) made.goal = goal;
  if (more) made.more = more;
  return made;
}

/**
 * Whether a row reaches its goal, misses it, or is unclear because only some rounds reach it; undefined for a row
 * without a goal.
 */
export function verdictOf({ value, ratio, range, goal }: BenchRow): 'reached' | 'missed' | 'unclear' | undefined {
  if (!goal) return undefined;
  const [low, high] = range ?? [ratio ?? value, ratio ?? value];
  const holds = (figure: number) =>
    figure >= (goal.atLeast ?? Number.NEGATIVE_INFINITY) && figure <= (goal.atMost ?? Number.POSITIVE_INFINITY);
  if (holds(low) && holds(high)) return 'reached';
  return holds(low) || holds(high) ? 'unclear' : 'missed';
}

function rangeOf(figures: readonly number[]): [number, number] {
  const sorted = figures.toSorted((a, b) => a - b);
  const trimmed = sorted.length < 5 ? sorted : sorted.slice(1, -1);
  return [trimmed[0] as number, trimmed.at(-1) as number];
}
