import type { KeyValueStore } from './key-value-store.js';

/** A stream of server-sent events that is open or opening. */
export interface OpenEvents {
  close(): void;
}

/** What a stream tells; `failed` comes once, when it will not come back by itself. */
export interface EventHandlers {
  event(name: string, data: string): void;
  failed(): void;
}

/** An answer of the server, as far as the library reads it. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Lets the request outlive its page. */
  readonly keepalive?: boolean;
}

/** What the core asks of where it runs; browsers and Node each bring theirs. */
export interface Platform {
  readonly store: KeyValueStore;
  /** Milliseconds since 1970. */
  now(): number;
  /** A random number from 0 up to 1. */
  random(): number;
  uuid(): string;
  request(url: string, request: HttpRequest): Promise<HttpAnswer>;
  /** Opens an event stream for some events; null where there are none. */
  openEvents(url: string, names: readonly string[], handlers: EventHandlers): OpenEvents | null;
  /** The text compressed with gzip; null where that cannot be done. */
  gzip(text: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Runs `task` after that many milliseconds; the returned function stops that. */
  later(milliseconds: number, task: () => void): () => void;
  /** Tells the developer, never the person. */
  warn(message: string): void;
}
