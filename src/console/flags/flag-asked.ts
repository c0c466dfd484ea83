export const HOUR_MS = 3_600_000;

/** What is asked about a flag's usage so far back, to the hour: whoever asks again within the hour asks the same. */
export const usageSince = <Interval extends 'hour' | 'day'>(milliseconds: number, interval: Interval) => ({
  interval,
  from: new Date(Math.floor((Date.now() - milliseconds) / HOUR_MS + 1) * HOUR_MS).toISOString(),
});
