import { DAY_MS, HOUR_MS } from '../../../kernel/values/durations.js';
import { peopleFailure } from '../people.errors.js';

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;

/** In UTC; weeks begin on Monday. */
export type Interval = (typeof INTERVALS)[number];

const MOST_INTERVALS = 1_000;
/** The resolution of the analytics store. */
const FIRST_MS = Date.UTC(1970, 0, 8);
const LAST_MS = Date.UTC(2106, 0, 1);

const startOf: Record<Interval, (ms: number) => number> = {
  hour: (ms) => ms - (ms % HOUR_MS),
  day: (ms) => ms - (ms % DAY_MS),
  // 1970 began on a Thursday.
  week: (ms) => ms - ((ms + 3 * DAY_MS) % (7 * DAY_MS)),
  month: (ms) => monthStart(new Date(ms), 0),
};

const nextOf: Record<Interval, (start: number) => number> = {
  hour: (start) => start + HOUR_MS,
  day: (start) => start + DAY_MS,
  week: (start) => start + 7 * DAY_MS,
  month: (start) => monthStart(new Date(start), 1),
};

const monthStart = (date: Date, later: number): number =>
  Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);

/** The earliest receipt of events that occurred at an instant or later: ingestion clamps times after the receipt. */
export const earliestReceipt = (from: Date): Date => new Date(from.getTime() - DAY_MS);

/**
 * The starts of the intervals that lie wholly or partly between two instants, in Unix milliseconds. Fails with `bad_time_range`,
 * `too_many_intervals`.
 */
export function intervalsBetween(from: Date, to: Date, interval: Interval): number[] {
  const [first, last] = [from.getTime(), to.getTime()];
  if (!(first >= FIRST_MS && last <= LAST_MS && first < last)) throw peopleFailure('bad_time_range');
  const starts: number[] = [];
  for (let at = startOf[interval](first); at < last; at = nextOf[interval](at)) {
    if (starts.length === MOST_INTERVALS) throw peopleFailure('too_many_intervals', { most: MOST_INTERVALS });
    starts.push(at);
  }
  return starts;
}
