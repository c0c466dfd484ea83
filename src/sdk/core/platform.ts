import type { KeyValueStore } from './key-value-store.js';

/** A stream of server-sent events, open or opening. */
export interface OpenEvents {
  close(): void;
}

/** Stream callbacks; `failed` is called once, when the stream will not reconnect by itself. */
export interface EventHandlers {
  event(name: string, data: string): void;
  failed(): void;
}

/** A response of the server, as far as the library reads it. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
  /** Lets the request outlive its page. */
  readonly keepalive?: boolean;
}

/** What the core needs from its environment; implemented for browsers and for Node. */
export interface Platform {
  readonly store: KeyValueStore;
  /** Milliseconds since 1970. */
  now(): number;
  /** A random number from 0 up to, but not including, 1. */
  random(): number;
  uuid(): string;
  request(url: string, request: HttpRequest): Promise<HttpAnswer>;
  /** Opens an event stream for some events; null where streams are not supported. */
  openEvents(url: string, names: readonly string[], handlers: EventHandlers): OpenEvents | null;
  /** The text compressed with gzip; null where that is not supported. */
  gzip(text: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Runs `task` after that many milliseconds; the returned function cancels it. */
  later(milliseconds: number, task: () => void): () => void;
  /** Warns the developer, never the person. */
  warn(message: string): void;
}
