/** The only source of the current time; tests pass one they control. */
export interface Clock {
  /** Shared, so do not change it. */
  now(): Date;
}

let latest = new Date();

/** Callers within a millisecond share a Date, because a request asks about ten times. */
export const systemClock: Clock = {
  now: () => {
    const now = Date.now();
    if (now !== latest.getTime()) latest = new Date(now);
    return latest;
  },
};
