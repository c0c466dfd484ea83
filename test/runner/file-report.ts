/** What a lane tells the runner of a test file, in the order in which it may come. */
export type FileMessage =
  | { kind: 'finished'; report: FileReport }
  | { kind: 'open-handles'; resources: string[] }
  | { kind: 'over'; isLarge: boolean };

/**
 * The outcome of one test file that ran to its end. Suites that were declared without `run()` are named, and programs without
 * which a part of it was left out.
 */
export interface FileReport {
  suites: number;
  tests: number;
  passed: number;
  skipped: number;
  assertions: number;
  forgotten: string[];
  missingPrograms: string[];
  /** As `missingPrograms`, of what only some users may do. */
  missingRights: string[];
  /** Of what it started and nobody waited for. */
  unclaimedCpuMs: number;
}
