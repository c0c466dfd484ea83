/** The only source of the current time; tests hand in one they control. */
export interface Clock {
  /** Not to be changed: others may have the same. */
  now(): Date;
}

let latest = new Date();

/** All who ask within a millisecond share a date, because a request asks ten times. */
export const systemClock: Clock = {
  now: () => {
    const now = Date.now();
    if (now !== latest.getTime()) latest = new Date(now);
    return latest;
  },
};
