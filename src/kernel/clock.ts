/** The only source of the current time; tests hand in one they control. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
