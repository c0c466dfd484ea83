import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AnsweredRequest, noteAnswer } from '../src/kernel/answered-request.js';
import type { DomainError } from '../src/kernel/errors.js';
import { hangUpIfUnread } from '../src/kernel/hang-up.js';
import type { Logger } from '../src/kernel/logger.js';
import type { Metrics } from '../src/kernel/metrics.js';
import { requestIdOf } from '../src/kernel/request-id.js';
import type { KeyDirectory, KeyStanding } from '../src/modules/access/keys/key-directory.js';
import type { KeyScope } from '../src/modules/access/keys/key-scopes.js';
import { corsHeaders } from './cors.js';
import { type ErrorRow, failureOf, logFailure } from './error-table.js';

/**
 * Answers a request past Koa, which with the route runner costs several times what a busy route does. False when it leaves the
 * request to others: nothing of it was read then and nothing counted.
 */
export type Lane = (message: IncomingMessage, response: ServerResponse) => boolean;

/** What every lane needs from the application. */
export interface LaneParts {
  readonly keys: KeyDirectory;
  readonly metrics: Metrics;
  /** What every answer of data carries, names and values in turn. */
  readonly headers: readonly string[];
  readonly logger: Logger;
}

/** The route that a lane answers for. */
interface LaneRoute {
  readonly method: string;
  /** As the metrics call it. */
  readonly path: string;
  readonly errors: Readonly<Record<string, ErrorRow>>;
}

/** In Koa's spelling, so that an answer is the same whichever way it took. */
const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'];
const NO_STORE = ['cache-control', 'no-store'];

/** A request's key, settled without waiting. */
export interface OpenKey {
  readonly secret: string;
  readonly standing: KeyStanding;
}

/** The request's key when it is known already, has the scope, and its project takes it from any origin and address; else null. */
export function openKey(keys: KeyDirectory, message: IncomingMessage, scope: KeyScope): OpenKey | null {
  const secret = message.headers['x-api-key'];
  const standing = typeof secret === 'string' ? keys.known(secret) : null;
  if (!standing?.actor.scopes.has(scope)) return null;
  const isOpen = standing.authorizedOrigins.length === 0 && standing.authorizedAddresses.length === 0;
  return isOpen ? { secret: secret as string, standing } : null;
}

/** Whether a body is of at most so many bytes, which were announced, and neither compressed nor in chunks. */
export function isPlain({ headers }: IncomingMessage, largest: number): boolean {
  return (
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? Number.NaN) <= largest
  );
}

/** The headers of every answer of a lane, names and values in turn; the second one is the request's id. */
export function laneHeaders({ headers }: LaneParts, message: IncomingMessage): string[] {
  return ['x-request-id', requestIdOf(message.headers['x-request-id']), ...headers, ...corsHeaders];
}

/** Sends JSON with the headers given, names and values in turn. */
export function sendJson(response: ServerResponse, status: number, headers: string[], json: string | Buffer): void {
  const length = String(Buffer.byteLength(json));
  response.writeHead(status, [...headers, ...JSON_TYPE, 'Content-Length', length]).end(json);
}

/** As {@link sendJson}, for an answer that no cache may keep. */
export function sendFreshJson(response: ServerResponse, status: number, headers: string[], body: object): void {
  sendJson(response, status, [...headers, ...NO_STORE], JSON.stringify(body));
}

/** Does the work of a request that a lane took: what fails is answered from the route's table, and all of it is measured. */
export async function runLane(
  parts: LaneParts,
  message: IncomingMessage,
  response: ServerResponse,
  route: LaneRoute,
  work: (headers: string[]) => Promise<void>,
): Promise<void> {
  const begun = performance.now();
  const headers = laneHeaders(parts, message);
  let refusal = '';
  try {
    await work(headers);
  } catch (thrown) {
    const failure = failureOf(thrown, route.errors);
    const request = { requestId: headers[1] as string, route: `${route.method} ${route.path}` };
    logFailure(parts.logger, thrown, route.errors[failure.code] as ErrorRow, request);
    refusal = failure.code;
    sendFailure(message, response, headers, route, failure);
  }
  measure(parts, route, response, { refusal, requestId: headers[1] as string }, begun);
}

/** Counts an answered request; `begun` is the reading of `performance.now()` when it came. */
export function measure(
  { metrics }: LaneParts,
  { method, path }: Pick<LaneRoute, 'method' | 'path'>,
  response: ServerResponse,
  { refusal, requestId }: Omit<AnsweredRequest, 'route'>,
  begun: number,
): void {
  metrics.requests.observe(method, path, response.statusCode, refusal, (performance.now() - begun) / 1000);
  noteAnswer(response, { route: path, refusal, requestId });
}

function sendFailure(
  message: IncomingMessage,
  response: ServerResponse,
  headers: string[],
  route: LaneRoute,
  failure: DomainError,
): void {
  const { status, body } = route.errors[failure.code] as ErrorRow;
  const isUnread = !message.complete;
  if (isUnread) hangUpIfUnread(message, response);
  const closing = isUnread ? [...headers, 'connection', 'close'] : headers;
  sendFreshJson(response, status, closing, body(failure.details, failure.message));
}
