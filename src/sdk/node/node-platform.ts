import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { attempt } from '../core/attempt.js';
import { requestMs } from '../core/failing.js';
import type { KeyValueStore } from '../core/key-value-store.js';
import { inWords } from '../core/plain-json.js';
import type { Platform } from '../core/platform.js';
import { openEventStream } from './event-source.js';
import { sendRequest } from './http-request.js';

/** The same warning once a minute is enough for a log. */
const SILENT_MS = 60_000;

/** A process stores nothing for the next one except definitions. */
const NOTHING_KEPT: KeyValueStore = { get: () => null, set: () => undefined, remove: () => undefined, keys: () => [] };

const compress = promisify(gzip);

export interface NodePlatform extends Platform {
  /** Why the last request without an answer failed. */
  problem(): string;
}

/** The error below `fetch failed`, and the first of those for several addresses of a host. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return inWords(error);
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner instanceof Error ? causeOf(inner) : error.message;
}

/** Keeps the process alive until something has come that the application waits for. */
export async function awaited<T>(what: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 2 ** 31 - 1);
  return await what.finally(() => clearInterval(timer));
}

/**
 * The core's platform for Node. Timers, streams and requests do not keep the process alive.
 *
 * @param key the project key, which opens streams.
 */
export function nodePlatform(key: string, ending: AbortSignal, tell: (message: string) => void): NodePlatform {
  // Node 20 warns about more than ten requests in a quarter of a minute.
  setMaxListeners(0, ending);
  let problem = '';
  const told = new Map<string, number>();
  const later: Platform['later'] = (milliseconds, task) => {
    const timer = setTimeout(task, Math.min(milliseconds, 2 ** 31 - 1)).unref();
    return () => clearTimeout(timer);
  };
  return {
    store: NOTHING_KEPT,
    now: Date.now,
    random: Math.random,
    uuid: randomUUID,
    request: async (url, request) => {
      // Node 20 loses what `AbortSignal.any` stands for at the next collection of garbage, and the request would never end.
      const late = new AbortController();
      const { signal } = late;
      const end = (): void => late.abort(new Error('no answer in time'));
      later(requestMs(request.body), end);
      if (ending.aborted) end();
      ending.addEventListener('abort', end, { signal });
      try {
        return await sendRequest(url, request, signal);
      } catch (error) {
        problem = causeOf(error);
        throw error;
      }
    },
    problem: () => problem,
    openEvents: (url, _names, handlers) => openEventStream(url, { 'x-api-key': key }, handlers, later),
    gzip: async (text) => new Uint8Array(await compress(text)),
    later,
    warn: (message) => {
      const now = Date.now();
      if (now - (told.get(message) ?? -SILENT_MS) < SILENT_MS) return;
      if (told.size > 100) told.clear();
      told.set(message, now);
      // What the application does with a warning must not come back to it from another call.
      attempt(() => tell(message));
    },
  };
}
