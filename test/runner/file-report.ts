/** A lane's messages to the runner about a test file, in their possible order. */
export type FileMessage =
  | { kind: 'finished'; report: FileReport }
  | { kind: 'open-handles'; resources: string[] }
  | { kind: 'over'; isLarge: boolean };

/**
 * The outcome of one test file that ran to its end. Includes suites declared without `run()`, and missing programs that
 * caused a part to be skipped.
 */
export interface FileReport {
  suites: number;
  tests: number;
  passed: number;
  skipped: number;
  assertions: number;
  forgotten: string[];
  missingPrograms: string[];
  /** Like `missingPrograms`, but for permissions that only some users have. */
  missingRights: string[];
  /** CPU time of processes that it started and did not wait for. */
  unclaimedCpuMs: number;
}
