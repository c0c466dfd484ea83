import { newUuid } from '../ids.js';

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** The id of a request and everything it causes: the caller's own if well-formed, else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newUuid();
}
