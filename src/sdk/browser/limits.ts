/** A tab hidden for this long hands the connection over to another. */
export const HIDDEN_MS = 120_000;
/** Keeps one broken loop from using up the person's bandwidth and the project's quota. */
export const MOST_CRASHES_A_MINUTE = 10;
/** About a third of the storage a browser gives a site. */
export const QUEUE = { flushAt: 20, flushSeconds: 5, most: 5_000, mostAtOnce: 100 };
export const CRASHES = { flushAt: 1, flushSeconds: 1, most: 50, mostAtOnce: 10 };
/** How long `identify` waits for the server to store the person. */
export const IDENTIFY_MS = 3_000;
/** Browsers reconnect by themselves; after this many failures, get a fresh ticket instead. */
export const MOST_BREAKS = 3;
/** The state of a stream that the browser has given up. */
export const CLOSED = 2;
