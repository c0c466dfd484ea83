import { told } from '../data/told.js';

const KEY = 'quarterdeck.exactTimes';

/** Whether this browser shows every instant as such, in UTC, and not how long ago it was. */
export const exactTimes = told(localStorage.getItem(KEY) === 'yes');

export function showExactTimes(exact: boolean): void {
  localStorage.setItem(KEY, exact ? 'yes' : 'no');
  exactTimes.set(exact);
}
