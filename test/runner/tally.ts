/** What one test file did, counted while it runs. */
export interface Tally {
  assertions: number;
  suites: DeclaredSuite[];
  /** Programs that it asked for and this machine lacks. */
  missingPrograms: Set<string>;
}

/** A suite that the file declared, and whether it also asked for it to run. */
export interface DeclaredSuite {
  name: string;
  tests: number;
  ran: boolean;
}

export const tally: Tally = { assertions: 0, suites: [], missingPrograms: new Set() };

/** Begins to count anew, for the next file. */
export function resetTally(): void {
  Object.assign(tally, { assertions: 0, suites: [], missingPrograms: new Set() } satisfies Tally);
}
