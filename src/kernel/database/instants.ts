import pg from 'pg';
import { DAY_MS, MINUTE_MS } from '../values/durations.js';

const { TIMESTAMPTZ } = pg.types.builtins;
const DAY = 'yyyy-mm-dd'.length;
const SECOND = 'yyyy-mm-dd hh:mm:ss'.length;
const ZERO = '0'.charCodeAt(0);
const ISO_LENGTH = 'yyyy-mm-ddThh:mm:ss.mmmZ'.length;
/** From the first of March of the year 0. */
const DAYS_TO_1970 = 719_468;

/** Parses an instant from PostgreSQL, from a column or JSON. */
export function instantOf(written: string): Date {
  const zoneAt = written.indexOf('+', SECOND);
  if (zoneAt !== -1 && isPlain(written, zoneAt)) return utcOf(written, zoneAt);
  const instant = new Date(written[DAY] === 'T' ? written : isoOf(written));
  return Number.isNaN(instant.getTime()) ? asPgDoes(written) : instant;
}

/** Whether this is UTC with a four-digit year that `Date.UTC` accepts, like nearly all instants. */
function isPlain(written: string, zoneAt: number): boolean {
  const zone = written.slice(zoneAt);
  return (zone === '+00' || zone === '+00:00') && written[4] === '-' && !written.startsWith('00');
}

/**
 * JavaScript's own parser takes five times as long, and lists contain many instants. Counts the days of the Gregorian
 * calendar from the first of March, so that the leap day is the last of its year.
 */
function utcOf(written: string, zoneAt: number): Date {
  const digit = (at: number): number => written.charCodeAt(at) - ZERO;
  const two = (at: number): number => digit(at) * 10 + digit(at + 1);
  const fraction = (at: number): number => (at < zoneAt ? digit(at) : 0);
  const month = (two(5) + 9) % 12;
  const year = two(0) * 100 + two(2) - (month > 9 ? 1 : 0);
  const leapDays = (year >> 2) - Math.floor(year / 100) + Math.floor(year / 400);
  const days = year * 365 + leapDays + Math.floor((153 * month + 2) / 5) + two(8) - 1 - DAYS_TO_1970;
  const seconds = two(11) * 3600 + two(14) * 60 + two(17);
  const milliseconds = fraction(SECOND + 1) * 100 + fraction(SECOND + 2) * 10 + fraction(SECOND + 3);
  return new Date(days * DAY_MS + seconds * 1000 + milliseconds);
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const MILLISECONDS = Array.from({ length: 1000 }, (_, number) => `.${String(number).padStart(3, '0')}Z`);
let knownDay = { number: Number.NaN, text: '' };

/**
 * Same result as `toISOString` for a valid date in a fifth of the time: lists write as many instants as they read, and
 * most of one list are of one day.
 */
export function isoText(date: Date): string {
  const time = date.getTime();
  const number = Math.floor(time / DAY_MS);
  if (number !== knownDay.number) {
    const text = date.toISOString();
    // Years with more than four digits.
    if (text.length !== ISO_LENGTH) return text;
    knownDay = { number, text: text.slice(0, DAY + 1) };
  }
  const ofDay = time - number * DAY_MS;
  const minutes = Math.floor(ofDay / MINUTE_MS);
  const hours = Math.floor(minutes / 60);
  const ofMinute = ofDay - minutes * MINUTE_MS;
  const seconds = Math.floor(ofMinute / 1000);
  const clock = `${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes - hours * 60]}:${TWO_DIGITS[seconds]}`;
  return `${knownDay.text}${clock}${MILLISECONDS[ofMinute - seconds * 1000]}`;
}

const isoOf = (written: string): string =>
  `${written.slice(0, DAY)}T${written.endsWith('+00') ? `${written.slice(DAY + 1, -3)}Z` : written.slice(DAY + 1)}`;

/** Zones without minutes, and years with more than four digits. */
const asPgDoes = (written: string): Date => pg.types.getTypeParser(TIMESTAMPTZ)(written.replace('T', ' ')) as Date;
