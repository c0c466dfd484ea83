/** A lane's messages to the runner about a test file, in possible order. */
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
  /** From something it started and did not await. */
  unclaimedCpuMs: number;
}
