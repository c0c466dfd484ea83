import { ask, type Connection, jsonOf } from './connection.js';
import { pauseAfter } from './failing.js';
import type { Data, Json } from './json.js';
import { SMALLEST_WORTH_COMPRESSING } from './limits.js';
import type { Courier, Delivery } from './outbox.js';
import type { HttpAnswer } from './platform.js';

export type Properties = Readonly<Record<string, Json>>;

/** An ingestion operation (docs/rest.md, Ingestion); its properties become JSON in the outbox. */
export type Operation =
  | {
      readonly type: 'track';
      readonly payload: {
        readonly event_name: string;
        readonly distinct_id: string;
        readonly properties: Data;
        readonly timestamp: string;
        readonly insert_id: string;
      };
    }
  | { readonly type: 'people'; readonly payload: { readonly distinct_id: string; readonly properties: Data } }
  | { readonly type: 'alias'; readonly payload: { readonly alias_id: string; readonly distinct_id: string } };

export const BATCH_PATH = '/api/v1/batch';

interface Answered {
  readonly error?: string;
  readonly index?: number;
  readonly resets_at?: string;
  readonly rejected?: number;
  readonly reject_reasons?: unknown;
}

/** Sends operations in batches. */
export const operationCourier = (connection: Connection): Courier => courierTo(connection, BATCH_PATH, 'operations');

/** Sends items to a path, as a member of the body, with this device's clock: the server corrects times by it. */
export const courierTo = (connection: Connection, path: string, member: string): Courier => {
  const address = () => `${path}?sent_at=${new Date(connection.platform.now()).toISOString()}`;
  return {
    send: async (items, failures) =>
      delivered(connection, failures, await post(connection, address(), bodyOf(member, items))),
    sendLast: (items) => leave(connection, address(), bodyOf(member, items)),
  };
};

/** An object with a list of already serialized JSON. */
export const bodyOf = (member: string, items: readonly string[]): string => `{"${member}":[${items.join()}]}`;

/** Sends a body, compressed if that pays off. */
async function post(connection: Connection, path: string, body: string): Promise<HttpAnswer | null> {
  const small = body.length < SMALLEST_WORTH_COMPRESSING ? null : await connection.platform.gzip(body);
  return ask(connection, path, small ?? body, small ? { 'content-encoding': 'gzip' } : {});
}

/**
 * Sends a body that outlives its page: as plain text with the key in the query, because a preflight would come too late.
 */
async function leave({ platform, url, key }: Connection, path: string, body: string): Promise<boolean> {
  try {
    const headers = { 'content-type': 'text/plain' };
    const request = { method: 'POST', headers, body, keepalive: true } as const;
    const address = `${url}${path}&api_key=${encodeURIComponent(key)}`;
    const answer = await platform.request(address, request);
    return answer.status < 300 && (await jsonOf(answer)) !== null;
  } catch {
    return false;
  }
}

/**
 * What a response means for the sent items. Only a response from this server counts: a captive portal also answers 200,
 * and a proxy 400 or 403. Its 413 counts, because repeating the same body would not help.
 */
async function delivered({ platform }: Connection, failures: number, answer: HttpAnswer | null): Promise<Delivery> {
  const status = answer?.status ?? 0;
  const body = answer && ((await jsonOf(answer)) as Answered | null);
  // Only a 413 counts without an error of the server's own.
  const { error: why = 'proxy: 413', index, resets_at, rejected, reject_reasons } = body ?? {};
  if (body && status < 300)
    return {
      is: 'taken',
      refused: rejected ? `reports refused: ${JSON.stringify(reject_reasons)}` : '',
    };
  const isOurs = body?.error;
  // One of the items is invalid, or all together are too large.
  if (status === 413 || (isOurs && status === 400)) return { is: 'poisoned', index, why };
  // With 502 and 504, a proxy got no answer; with 503, the server is busy.
  const isFailed = status >= 500 && (status < 502 || status > 504);
  if (isOurs && (status === 401 || status === 403 || isFailed)) return { is: 'stopped', why };
  const retryAfter = answer?.headers.get('retry-after');
  const untilReset = Date.parse(resets_at ?? '') - platform.now() || 0;
  const milliseconds = Math.max(pauseAfter(failures, platform, retryAfter), untilReset);
  return { is: 'later', milliseconds, asked: status === 429 || !!retryAfter };
}
