import { setTimeout as sleep } from 'node:timers/promises';

/** Settles like the work, or with a substitute once the time is up; the work goes on. */
export async function inTime<T>(work: Promise<T>, milliseconds: number, substitute: T): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race([work, sleep(milliseconds, substitute, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}
