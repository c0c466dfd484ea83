/** From sign-in to the end of the session, however its token is carried. */
export const SESSION_MS = 12 * 3_600_000;

/** Lifetime of a token in a browser cookie; with use it is renewed until the session is over. */
export const COOKIE_SESSION_MS = 3_600_000;
