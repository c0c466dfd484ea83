/** A tab that nobody sees for this long leaves the connection to another. */
export const HIDDEN_MS = 120_000;
/** One broken loop must not use up what a person's connection and a project's quota can bear. */
export const MOST_CRASHES_A_MINUTE = 10;
/** About a third of what a browser lets a site keep. */
export const QUEUE = { flushAt: 20, flushSeconds: 5, most: 5_000, mostAtOnce: 100 };
export const CRASHES = { flushAt: 1, flushSeconds: 1, most: 50, mostAtOnce: 10 };
