import { inWords } from '../core/plain-json.js';
import type { Definitions } from './definitions.js';

/** What a process says when it begins; all but `url` and `key` can be left out. */
export interface NodeOptions {
  /** Address of the server, as `https://quarterdeck.example.com`. */
  readonly url: string;
  /** Project key, `sk_live_…` or `sk_test_…`, with the scopes `definitions`, `decide` and `ingest`. It is a secret: browsers get another. */
  readonly key: string;
  /** Version of the application: `release` of crash reports. */
  readonly release?: string;
  /** Definitions to begin with, before the server has answered. */
  readonly bootstrap?: Definitions;
  /** A file that keeps the last definitions, so that the next start decides by them when the server is away. */
  readonly file?: string;
  /** False decides by `bootstrap` and `file` alone and never asks the server for definitions. */
  readonly fetch?: boolean;
  /** False polls without ever opening a stream. */
  readonly stream?: boolean;
  /** Seconds between polls while there is no stream: 30, at least 1. */
  readonly pollSeconds?: number;
  /** False leaves exceptions that nobody caught alone. */
  readonly captureErrors?: boolean;
  /** False sends nothing by itself when the process ends; `close` does. */
  readonly flushOnExit?: boolean;
  /** Milliseconds that the end of the process may be held up to send what waits: 2,000. */
  readonly exitMs?: number;
  /** Most events that wait in memory: 10,000. Beyond it, or 50 million characters of JSON, the oldest is given up. */
  readonly queueSize?: number;
  /** Where warnings go; `process.emitWarning` unless given. */
  readonly warn?: (message: string) => void;
}

/** The number of an option; what is none, as one that a variable which is not set would give, counts as left out. */
export function numberOr(given: unknown, otherwise: number): number {
  const number = Number.parseFloat(inWords(given));
  return Number.isNaN(number) ? otherwise : number;
}

/** Whole milliseconds, as timers and processes take them. */
export const millisecondsOr = (given: unknown, otherwise: number): number =>
  Math.round(Math.min(Math.max(numberOr(given, otherwise), 0), 2 ** 31 - 1_000));
