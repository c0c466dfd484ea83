import { told } from '../data/told.js';

const KEY = 'quarterdeck.exactTimes';

/** Whether this browser shows exact times in UTC instead of relative ones. */
export const exactTimes = told(localStorage.getItem(KEY) === 'yes');

export function showExactTimes(exact: boolean): void {
  localStorage.setItem(KEY, exact ? 'yes' : 'no');
  exactTimes.set(exact);
}
