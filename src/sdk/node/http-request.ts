import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { HttpAnswer, HttpRequest } from '../core/platform.js';
import { letEnd } from './ended-program.js';

const MOST_REDIRECTS = 5;

/** Opens a request that does not keep the process alive; `fetch` cannot be told to, nor to give up connecting. */
export function openRequest(url: string, options: { readonly [name: string]: unknown }) {
  const begin = url.startsWith('https:') ? httpsRequest : httpRequest;
  const asked = begin(url, options);
  letEnd(asked);
  return asked;
}

/** Sends a request and follows redirects. Rejects when no answer came, also for an invalid URL or header. */
export async function sendRequest(
  url: string,
  { method, headers, body }: HttpRequest,
  signal: AbortSignal,
  redirects = MOST_REDIRECTS,
): Promise<HttpAnswer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // Some firewalls refuse a request that names no agent.
    const sent = { 'user-agent': 'quarterdeck-node', 'accept-encoding': 'gzip', ...headers };
    openRequest(url, { method, headers: sent, signal }).on('response', resolve).on('error', reject).end(body);
  });
  const { statusCode: status = 0, headers: given } = answer;
  // Read even if nobody asks for it, or the connection could not be used again.
  const text = textOf(answer);
  text.catch(() => undefined);
  if (given.location && [301, 302, 307, 308].includes(status) && redirects > 0)
    return sendRequest(String(new URL(given.location, url)), { method, headers, body }, signal, redirects - 1);
  return { status, headers: { get: (name) => given[name]?.toString() ?? null }, text: () => text };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const whole = await buffer(answer);
  return String(answer.headers['content-encoding'] === 'gzip' ? await promisify(gunzip)(whole) : whole);
}
