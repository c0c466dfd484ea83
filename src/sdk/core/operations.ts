import { ask, type Connection, jsonOf } from './connection.js';
import { pauseAfter } from './failing.js';
import type { Json } from './json.js';
import type { Courier, Delivery } from './outbox.js';
import type { HttpAnswer } from './platform.js';

export type Properties = Readonly<Record<string, Json>>;

/** One operation of ingestion (docs/rest.md, Ingestion). */
export type Operation =
  | {
      readonly type: 'track';
      readonly payload: {
        readonly event_name: string;
        readonly distinct_id: string;
        readonly properties: Properties;
        readonly timestamp: string;
        readonly insert_id: string;
      };
    }
  | { readonly type: 'people'; readonly payload: { readonly distinct_id: string; readonly properties: Properties } }
  | { readonly type: 'alias'; readonly payload: { readonly alias_id: string; readonly distinct_id: string } };

export const BATCH_PATH = '/api/v1/batch';
const SMALLEST_WORTH_COMPRESSING = 1_024;
/** What says that another try makes sense: too much was asked, the server is away, or a proxy before it had no answer from it. */
const TRY_AGAIN = [429, 502, 503, 504];

interface Refusal {
  readonly error?: string;
  readonly index?: number;
  readonly resets_at?: string;
}

/** Brings operations as batches. */
export function operationCourier(connection: Connection): Courier {
  const path = () => `${BATCH_PATH}?sent_at=${new Date(connection.platform.now()).toISOString()}`;
  return {
    send: async (operations, failures) =>
      delivered(connection, failures, await post(connection, path(), bodyOf('operations', operations))),
    sendLast: (operations) => leave(connection, `${path()}&`, bodyOf('operations', operations)),
  };
}

/** An object with a list of what is JSON already. */
export const bodyOf = (member: string, items: readonly string[]): string => `{"${member}":[${items.join()}]}`;

/** Sends a body, compressed where that is worth it. */
export async function post(connection: Connection, path: string, body: string): Promise<HttpAnswer | null> {
  const small = body.length < SMALLEST_WORTH_COMPRESSING ? null : await connection.platform.gzip(body);
  return ask(connection, path, small ?? body, small ? { 'content-encoding': 'gzip' } : {});
}

/** Sends a body that outlives its page, to a path that takes another parameter: as text with the key in the address, because a preflight would come too late. */
export async function leave({ platform, url, key }: Connection, path: string, body: string): Promise<boolean> {
  try {
    const headers = { 'content-type': 'text/plain' };
    const request = { method: 'POST', headers, body, keepalive: true } as const;
    return (await platform.request(`${url}${path}api_key=${encodeURIComponent(key)}`, request)).status < 300;
  } catch {
    return false;
  }
}

/** What an answer means for what was sent. */
export async function delivered(
  { platform }: Connection,
  failures: number,
  answer: HttpAnswer | null,
): Promise<Delivery> {
  if (answer === null) return { is: 'later', milliseconds: pauseAfter(failures, platform), asked: false };
  const { status } = answer;
  if (status < 300) return { is: 'taken' };
  const { error = String(status), index, resets_at } = ((await jsonOf(answer)) ?? {}) as Refusal;
  if (TRY_AGAIN.includes(status)) {
    const retryAfter = answer.headers.get('retry-after');
    const untilReset = resets_at ? Date.parse(resets_at) - platform.now() : 0;
    const milliseconds = Math.max(pauseAfter(failures, platform, retryAfter), untilReset || 0);
    return { is: 'later', milliseconds, asked: status === 429 || retryAfter !== null };
  }
  if (status === 401 || status === 403 || status >= 500) return { is: 'stopped', why: error };
  return { is: 'poisoned', index: index ?? null, why: error };
}
