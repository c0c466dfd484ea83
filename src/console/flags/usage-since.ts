import { HOUR_MS } from '../parts/charts/durations.js';

/** The usage query's period, rounded to the hour so that repeated requests within an hour are identical. */
export const usageSince = <Interval extends 'hour' | 'day'>(milliseconds: number, interval: Interval) => ({
  interval,
  from: new Date(Math.floor((Date.now() - milliseconds) / HOUR_MS + 1) * HOUR_MS).toISOString(),
});
