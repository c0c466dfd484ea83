import { HOUR_MS } from '../../../kernel/values/durations.js';
/** From sign-in to the end of the session, however its token is carried. */
export const SESSION_MS = 12 * HOUR_MS;

/** Lifetime of a token in a browser cookie; with use it is renewed until the session is over. */
export const COOKIE_SESSION_MS = HOUR_MS;
