/** What one test file did, counted while it runs. */
export interface Tally {
  assertions: number;
  suites: DeclaredSuite[];
  /** Programs that it asked for and this machine lacks. */
  missingPrograms: Set<string>;
  /** Permissions that it needed and did not have. */
  missingRights: Set<string>;
  /** CPU time of processes that ended without being waited for, so that no other process includes it. */
  unclaimedCpuMs: number;
}

/** A suite that the file declared, and whether it also called for it to run. */
export interface DeclaredSuite {
  name: string;
  tests: number;
  ran: boolean;
}

const begin = (): Tally => ({
  assertions: 0,
  suites: [],
  missingPrograms: new Set(),
  missingRights: new Set(),
  unclaimedCpuMs: 0,
});

export const tally: Tally = begin();

/** Resets the counts for the next file. */
export function resetTally(): void {
  Object.assign(tally, begin());
}
