import type { KeyValueStore } from '../core/key-value-store.js';
import type { EventHandlers, OpenEvents, Platform } from '../core/platform.js';

/** A browser comes back by itself; after so many failures in a row a fresh ticket is the better way. */
const MOST_BREAKS = 3;

/** What the core needs, by the means of a browser. */
export function browserPlatform(store: KeyValueStore): Platform {
  return {
    store,
    now: () => Date.now(),
    random: () => Math.random(),
    uuid,
    request: (url, request) => fetch(url, { ...request, credentials: 'omit', referrerPolicy: 'no-referrer' }),
    openEvents,
    gzip,
    later: (milliseconds, task) => {
      const timer = setTimeout(task, Math.min(milliseconds, 2 ** 31 - 1));
      return () => clearTimeout(timer);
    },
    // biome-ignore lint/suspicious/noConsole: the console is where developers of a page look
    warn: (message) => console.warn(message),
  };
}

/** `crypto.randomUUID` is missing on pages without HTTPS. */
function uuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, at) => {
    const versioned = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return versioned.toString(16).padStart(2, '0');
  });
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

async function gzip(text: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (typeof CompressionStream !== 'function') return null;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function openEvents(url: string, names: readonly string[], { event, failed }: EventHandlers): OpenEvents | null {
  if (typeof EventSource !== 'function') return null;
  const source = new EventSource(url);
  let breaks = 0;
  source.onopen = () => {
    breaks = 0;
  };
  source.onerror = () => {
    breaks += 1;
    if (source.readyState !== EventSource.CLOSED && breaks < MOST_BREAKS) return;
    source.close();
    failed();
  };
  for (const name of names) source.addEventListener(name, ({ data }: MessageEvent<string>) => event(name, data));
  return source;
}
