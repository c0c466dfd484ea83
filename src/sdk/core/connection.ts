import { parsedJson } from './json.js';
import type { HttpAnswer, HttpRequest, Platform } from './platform.js';

/** The server, and the project key that selects project and environment. */
export interface Connection {
  readonly platform: Platform;
  /** The server's base URL without a trailing slash. */
  readonly url: string;
  readonly key: string;
}

/** Sends a request with the key in a header and, unless it only reads, a JSON body; null when no answer came. */
export async function ask(
  { platform, url, key }: Connection,
  path: string,
  body?: HttpRequest['body'],
  more: HttpRequest['headers'] = {},
): Promise<HttpAnswer | null> {
  try {
    const method = body === undefined ? 'GET' : 'POST';
    const type = body && { 'content-type': 'application/json' };
    return await platform.request(url + path, { method, headers: { 'x-api-key': key, ...type, ...more }, body });
  } catch {
    return null;
  }
}

/** The JSON of a response; null when it is not JSON. */
export async function jsonOf(answer: HttpAnswer): Promise<unknown> {
  return parsedJson(await answer.text().catch(() => ''));
}
