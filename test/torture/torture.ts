/**
 * The interface of a torture run. A file `test/torture/<name>.torture.ts` exports
 *
 *     export const name = 'ingest-server-kill';          // as in: npm run torture -- ingest-server-kill 200
 *     export const usualCount = 20;                      // cycles when none is given
 *     export async function run(torture: TortureContext): Promise<TortureRow[]> { … }
 *
 * The quick form in `npm test` calls the same `run` with a small count. A row whose `held` is false makes the run fail.
 */
import type { ServerOptions, ServerProcess } from '../harness/server-process.js';

/** What the runner passes to a torture run. */
export interface TortureContext {
  /** The number of cycles, rounds or items: the number after the name on the command line. */
  count: number;
  /** URL of the maintenance database of a PostgreSQL server that the run may use, but not kill. */
  databaseUrl: string;
  /** Creates an empty database on it and returns its URL. */
  createDatabase(): Promise<string>;
  /**
   * Starts the product; it is stopped after the run at the latest. It uses `env.DATABASE_URL` if given, and otherwise
   * its own embedded PostgreSQL in its data folder, which the run may kill.
   */
  startServer(options?: ServerOptions): Promise<ServerProcess>;
  /** Whether durations also decide; not in the quick form, which runs on busy machines. */
  judgesSpeed: boolean;
  log(line: string): void;
}

/** One promise and what was observed of it. */
export interface TortureRow {
  /** As in the table of promises: `a 200 from ingestion is stored, whole`. */
  promise: string;
  /** What was done and counted: `200 kills, 65,717 acknowledged, 0 lost, 0 partial`. */
  seen: string;
  held: boolean;
}
