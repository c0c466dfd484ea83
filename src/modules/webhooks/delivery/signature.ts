import { createHmac, type KeyObject } from 'node:crypto';

/** The headers that prove a delivery's origin (Standard Webhooks, "Webhook headers"). */
export interface SignatureHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** The keys of one subscription: `previous` signs too while `at` is before `previousUntil` (Unix milliseconds). */
export interface SigningKeys {
  current: KeyObject;
  previous: KeyObject | null;
  previousUntil: number;
}

/**
 * Signs one attempt with HMAC-SHA256 over `id.timestamp.body`.
 * @param at time of the attempt, Unix milliseconds; the header has whole seconds.
 * @returns one `v1,<base64>` entry per valid key, the current key's first, separated by a space.
 */
export function signatureHeaders(id: string, at: number, body: string, keys: SigningKeys): SignatureHeaders {
  const timestamp = String(Math.floor(at / 1000));
  const content = `${id}.${timestamp}.${body}`;
  let signature = signatureOf(keys.current, content);
  if (keys.previous !== null && at < keys.previousUntil) signature += ` ${signatureOf(keys.previous, content)}`;
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

function signatureOf(key: KeyObject, content: string): string {
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
