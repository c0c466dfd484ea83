/** Documented statuses that no test has to produce, and why. */
export const NEVER_ANSWERED: ReadonlyMap<number, string> = new Map([
  [500, 'it stands for faults of the server, of which none is known'],
  [
    503,
    'it needs a database or an object store that fails; the tests of degradation stop these under servers of their own',
  ],
]);
