import type { Connection } from './connection.js';
import type { Json } from './json.js';
import { MOST_MESSAGE } from './limits.js';
import { courierTo } from './operations.js';
import type { Courier } from './outbox.js';
import { inWords } from './plain-json.js';
import type { ToldSession } from './session.js';
import { stackLines } from './stack-lines.js';

/** A breadcrumb left before a crash. */
export interface Breadcrumb {
  readonly at: string;
  readonly category: string;
  readonly message: string;
  readonly data?: Json;
}

/** A crash event (docs/rest.md, Crashes). */
export interface CrashReport {
  readonly event_id: string;
  readonly timestamp: string;
  readonly level: 'fatal' | 'error' | 'warning' | 'info';
  readonly platform: 'javascript';
  readonly release: string | null;
  readonly distinct_id: string;
  readonly session?: ToldSession | null;
  readonly exception: { readonly type: string; readonly value: string };
  /** The lines of its stack that are frames, if it has any. */
  readonly raw_stacktrace?: string | undefined;
  readonly tags: Readonly<Record<string, Json>>;
  readonly extra: Readonly<Record<string, Json>>;
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly debug_images: readonly { type: 'sourcemap'; code_file: string; debug_id: string }[];
}

/** Describes a thrown value, which need not be an Error. */
export function thrown(value: unknown): Pick<CrashReport, 'exception' | 'raw_stacktrace'> {
  try {
    const { name, message, stack } = Object(value) as Partial<Error>;
    // An error from a frame is not an instance of this page's Error.
    if (typeof stack === 'string')
      return {
        exception: { type: String(name), value: String(message).slice(0, MOST_MESSAGE) },
        raw_stacktrace: stackLines(stack).join('\n') || undefined,
      };
  } catch {
    // An unreadable one still counts as a crash.
  }
  return { exception: { type: 'UnhandledValue', value: inWords(value).slice(0, 2_000) } };
}

export const CRASHES_PATH = '/api/catch/events';

/** Sends crash reports; warns about those that the server rejects. */
export const crashCourier = (connection: Connection): Courier => courierTo(connection, CRASHES_PATH, 'events');
