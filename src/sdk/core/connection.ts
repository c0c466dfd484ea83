import type { HttpAnswer, HttpRequest, Platform } from './platform.js';

/** Where the server is, and the project key that says which project and environment is meant. */
export interface Connection {
  readonly platform: Platform;
  /** Origin of the server, with a path where it has one, without a slash at the end. */
  readonly url: string;
  readonly key: string;
}

/** Sends a request with the key in its header; null when no answer came. */
export async function ask(
  { platform, url, key }: Connection,
  path: string,
  request: Omit<HttpRequest, 'headers'> & { readonly headers?: HttpRequest['headers'] },
): Promise<HttpAnswer | null> {
  try {
    return await platform.request(url + path, { ...request, headers: { 'x-api-key': key, ...request.headers } });
  } catch {
    return null;
  }
}

/** The JSON of an answer; null when it is none. */
export async function jsonOf(answer: HttpAnswer): Promise<unknown> {
  try {
    return JSON.parse(await answer.text());
  } catch {
    return null;
  }
}
