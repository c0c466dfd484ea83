import { DAY_MS, HOUR_MS } from '../../../kernel/values/durations.js';
import { isoTime } from '../../../kernel/values/iso-time.js';

const FUTURE_ALLOWANCE_MS = 23 * HOUR_MS;

const EPOCH_DAYS_TO_MARCH_0000 = 719_468;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days from 1970-01-01 to a date of the proleptic Gregorian calendar (years counted from March, in eras of 400). */
const daysFromEpoch = (year: number, month: number, day: number): number => {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - EPOCH_DAYS_TO_MARCH_0000;
};

/** A number of `count` ASCII digits, or -1. */
const digits = (buf: Buffer, from: number, count: number): number => {
  let value = 0;
  for (let i = from; i < from + count; i++) {
    const c = (buf[i] as number) - 0x30;
    if (c < 0 || c > 9) return -1;
    value = value * 10 + c;
  }
  return value;
};

/**
 * Like {@link isoTime}, from bytes. The format that SDKs send, `2026-01-31T12:30:00.000Z` with or without the fraction, is parsed without
 * creating a string.
 */
export const eventTimeAt = (buf: Buffer, from: number, to: number): number => {
  const length = to - from;
  if ((length === 24 || length === 20) && buf[to - 1] === 0x5a && buf[from + 10] === 0x54) {
    const year = digits(buf, from, 4);
    const month = digits(buf, from + 5, 2);
    const day = digits(buf, from + 8, 2);
    const hour = digits(buf, from + 11, 2);
    const minute = digits(buf, from + 14, 2);
    const second = digits(buf, from + 17, 2);
    const ms = length === 24 ? digits(buf, from + 20, 3) : 0;
    const separated =
      buf[from + 4] === 0x2d &&
      buf[from + 7] === 0x2d &&
      buf[from + 13] === 0x3a &&
      buf[from + 16] === 0x3a &&
      (length === 20 || buf[from + 19] === 0x2e);
    const leapDay = month !== 2 || day !== 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
    const inRange =
      year >= 1 && day >= 1 && day <= (DAYS_IN_MONTH[month - 1] ?? 0) && leapDay && hour >= 0 && hour <= 23;
    if (separated && inRange && minute >= 0 && minute <= 59 && second >= 0 && second <= 59 && ms >= 0)
      return daysFromEpoch(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + ms;
  }
  return isoTime(buf.toString('utf8', from, to));
};

/** Whether a time is so far ahead of its receipt that the client's clock must be wrong: over 23 hours (docs/rest.md, Ingestion). */
export const isTooFarAhead = (occurredAt: number, receivedAt: number): boolean =>
  occurredAt - receivedAt > FUTURE_ALLOWANCE_MS;
