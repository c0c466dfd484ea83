// Bundlers inline constants of other modules only, which keeps the browser library small.
/** How long the server deduplicates by `insert_id`, less an hour for transmission. */
export const REPEATABLE_MS = 23 * 3_600_000;
/** Keeps waiting items from using up the application's memory. */
export const MOST_CHARACTERS = 50_000_000;
/** Characters of a dropped item in its warning. */
export const MOST_SHOWN = 1_000;
export const FIRST_PAUSE_MS = 1_000;
export const LONGEST_PAUSE_MS = 300_000;
/** The inactivity after which a new session begins. */
export const SESSION_GAP_MS = 1_800_000;
/** The maximum age that the list's cache rule allows. */
export const LIST_AGE_MS = 300_000;
/** Values of config items can have 256 levels. */
export const DEEPEST = 260;
export const MOST_TEXT = 500_000;
/** A longer message would take the room of the other reports. */
export const MOST_MESSAGE = 100_000;
export const SMALLEST_WORTH_COMPRESSING = 1_024;
/** With an open stream, polling only covers connections that died unnoticed. */
export const SAFETY_POLL_MS = 300_000;
/** A stream that lasts this long works; one that is not ready by then does not, as behind a proxy that holds it back. */
export const TRIAL_MS = 30_000;
/** How long the server takes to use new data about a person in decisions (docs/rest.md, Handshake). */
export const TOLD_MS = 1_250;
/** How long a change takes to reach every server process. */
export const LAG_MS = 5_000;
