import { attempt } from '../core/attempt.js';
import { requestMs } from '../core/failing.js';
import type { KeyValueStore } from '../core/key-value-store.js';
import type { EventHandlers, OpenEvents, Platform } from '../core/platform.js';
import { CLOSED, MOST_BREAKS } from './limits.js';

/** Absent during server-side rendering: values come from `bootstrap`, and nothing is requested, stored or sent. */
export const IS_PAGE = typeof document === 'object';

/** Whether the page is still prerendering. */
export const madeInAdvance = (): boolean | undefined =>
  IS_PAGE && (document as { prerendering?: boolean }).prerendering;

/** The core's platform, implemented with browser APIs. */
export function browserPlatform(consented: {
  readonly present: KeyValueStore;
  readonly refusal: AbortController;
}): Platform {
  /** Warnings given: every event beyond the limit of the queue gives the same one. */
  const told = new Set<string>();
  return {
    get store() {
      return consented.present;
    },
    now: () => Date.now(),
    random: Math.random,
    uuid,
    request: (url, request) => {
      const ending = new AbortController();
      const { signal } = ending;
      const end = (): void => ending.abort();
      consented.refusal.signal.addEventListener('abort', end, { signal });
      setTimeout(end, requestMs(request.body));
      return fetch(url, { ...request, signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
    },
    openEvents,
    gzip,
    later: (milliseconds, task) => {
      const timer = setTimeout(task, Math.min(milliseconds, 2 ** 31 - 1));
      return () => clearTimeout(timer);
    },
    // A page may have put something of its own in its place.
    warn: (message) =>
      attempt(() => {
        // biome-ignore lint/suspicious/noConsole: the console is where developers of a page look
        if (!told.has(message)) console.warn(message);
        told.add(message);
      }),
  };
}

/**
 * Blob URLs end in a random UUID (File API, 8.2), also on pages without HTTPS, where `crypto.randomUUID` is missing.
 */
function uuid(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  const address = URL.createObjectURL(new Blob());
  URL.revokeObjectURL(address);
  return address.slice(-36);
}

async function gzip(text: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (typeof CompressionStream !== 'function') return null;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function openEvents(url: string, names: readonly string[], { event, failed }: EventHandlers): OpenEvents | null {
  if (!globalThis.EventSource) return null;
  const source = new EventSource(url);
  let breaks = 0;
  source.onerror = () => {
    breaks += 1;
    if (source.readyState !== CLOSED && breaks < MOST_BREAKS) return;
    source.close();
    failed();
  };
  for (const name of names) source.addEventListener(name, ({ data }: MessageEvent<string>) => event(name, data));
  return source;
}
