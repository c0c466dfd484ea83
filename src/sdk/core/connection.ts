import { parsedJson } from './json.js';
import type { HttpAnswer, HttpRequest, Platform } from './platform.js';

/** Where the server is, and the project key that says which project and environment is meant. */
export interface Connection {
  readonly platform: Platform;
  /** Origin of the server, with a path where it has one, without a slash at the end. */
  readonly url: string;
  readonly key: string;
}

/** Sends a request with the key in its header, with a body of JSON unless it only reads; null when no answer came. */
export async function ask(
  { platform, url, key }: Connection,
  path: string,
  body?: HttpRequest['body'],
  more: HttpRequest['headers'] = {},
): Promise<HttpAnswer | null> {
  try {
    const headers = { 'x-api-key': key, ...more };
    return await platform.request(
      url + path,
      body === undefined
        ? { method: 'GET', headers }
        : { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
    );
  } catch {
    return null;
  }
}

/** The JSON of an answer; null when it is not JSON. */
export async function jsonOf(answer: HttpAnswer): Promise<unknown> {
  return parsedJson(await answer.text().catch(() => ''));
}
