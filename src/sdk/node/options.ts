import { inWords } from '../core/plain-json.js';
import type { Definitions } from './definitions.js';

/** Options of the Node library. Only `url` and `key` are required. */
export interface NodeOptions {
  /** URL of your server, such as `https://quarterdeck.example.com`. */
  readonly url: string;
  /**
   * Project key, `sk_live_…` or `sk_test_…`, with the scopes `definitions` and `ingest`. Keep it secret, and use a
   * different key in browsers.
   */
  readonly key: string;
  /** Your application's version, sent as `release` in crash reports. */
  readonly release?: string | undefined;
  /** Definitions to use until the server has answered. */
  readonly bootstrap?: Definitions | undefined;
  /** A file that stores the latest definitions, so the next start can use them while the server is unavailable. */
  readonly file?: string | undefined;
  /** Set to false to use only `bootstrap` and `file` and never request definitions. */
  readonly fetch?: boolean | undefined;
  /** Set to false to poll and never open a stream. */
  readonly stream?: boolean | undefined;
  /** Seconds between polls while there is no stream. Default 30, minimum 1. */
  readonly pollSeconds?: number | undefined;
  /** Set to false to stop reporting uncaught exceptions. */
  readonly captureErrors?: boolean | undefined;
  /** Set to false to send nothing when the process exits; call `close` instead. */
  readonly flushOnExit?: boolean | undefined;
  /** Milliseconds the exit of the process may be delayed to send what is waiting. Default 2,000. */
  readonly exitMs?: number | undefined;
  /**
   * Maximum number of events waiting in memory. Default 10,000. Beyond it, or beyond 50 million characters of JSON, the
   * oldest are dropped.
   */
  readonly queueSize?: number | undefined;
  /** Receives warnings. Defaults to `process.emitWarning`. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** The number of an option; what is none, as one that a variable which is not set would give, counts as left out. */
export function numberOr(given: unknown, otherwise: number): number {
  const number = Number.parseFloat(inWords(given));
  return Number.isNaN(number) ? otherwise : number;
}

/** Whole milliseconds, as timers and processes take them. */
export const millisecondsOr = (given: unknown, otherwise: number): number =>
  Math.round(Math.min(Math.max(numberOr(given, otherwise), 0), 2 ** 31 - 1_000));
