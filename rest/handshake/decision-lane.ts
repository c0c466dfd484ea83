import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DomainError } from '../../src/kernel/errors.js';
import type { Logger } from '../../src/kernel/logger.js';
import type { Metrics } from '../../src/kernel/metrics.js';
import { requestIdOf } from '../../src/kernel/request-id.js';
import type { KeyDirectory, KeyStanding } from '../../src/modules/access/key-directory.js';
import type { Answer } from '../../src/modules/handshake/answer.js';
import type { DecisionMeter } from '../../src/modules/handshake/decision-meter.js';
import { type DecisionModule, decisionModules } from '../../src/modules/handshake/decision-modules.js';
import type { HandshakeService } from '../../src/modules/handshake/handshake.service.js';
import type { Counters } from '../../src/storage/counters.js';
import { corsHeaders } from '../cors.js';
import { type ErrorRow, failureOf } from '../error-table.js';
import { matchesEntityTag } from '../etag.js';
import { restFailure } from '../failures.js';
import { handshakeErrors } from './errors.js';
import { decisionPath, HANDSHAKE_PATH, LIMIT } from './paths.js';

/** What the lane needs from the application. */
export interface DecisionLaneParts {
  readonly keys: KeyDirectory;
  readonly counters: Counters;
  readonly handshake: HandshakeService;
  readonly meter: DecisionMeter;
  readonly metrics: Metrics;
  /** What every answer of data carries, names and values in turn. */
  readonly headers: readonly string[];
  readonly logger: Logger;
}

const JSON_TYPE = ['content-type', 'application/json; charset=utf-8'];

const PATHS = new Map<string, DecisionModule | 'handshake'>([
  [HANDSHAKE_PATH, 'handshake'],
  ...decisionModules.map((module): [string, DecisionModule] => [decisionPath(module), module]),
]);

/**
 * Answers decision requests whose answer lies ready, past Koa: SDKs poll these routes, and Koa with the route runner costs
 * several times what the answer does. The lane takes a request only when its key and its answer are known and the key's
 * project lists no origins or addresses; the rest, first requests and refusals of keys among it, takes the common way.
 *
 * @returns whether the request was taken.
 */
export function decisionLane(
  parts: DecisionLaneParts,
): (message: IncomingMessage, response: ServerResponse) => boolean {
  return (message, response) => {
    if (message.method !== 'GET') return false;
    const url = message.url ?? '';
    const question = url.indexOf('?');
    const module = PATHS.get(question < 0 ? url : url.slice(0, question));
    const secret = message.headers['x-api-key'];
    if (module === undefined || typeof secret !== 'string') return false;
    const key = parts.keys.known(secret);
    if (!key || !isFree(key) || !parts.meter.admitsAtOnce(key.actor)) return false;
    const answer = parts.handshake.known(key.actor, module, url);
    if (!answer) return false;
    void take(parts, message, response, { module, secret, key, answer });
    return true;
  };
}

interface Taken {
  readonly module: DecisionModule | 'handshake';
  readonly secret: string;
  readonly key: KeyStanding;
  readonly answer: Answer;
}

async function take(
  parts: DecisionLaneParts,
  message: IncomingMessage,
  response: ServerResponse,
  { module, secret, key, answer }: Taken,
): Promise<void> {
  const begun = performance.now();
  const headers = ['x-request-id', requestIdOf(message.headers['x-request-id']), ...parts.headers, ...corsHeaders];
  let refusal = '';
  try {
    await admit(parts, secret, key);
    send(response, headers, answer, message.headers['if-none-match']);
  } catch (thrown) {
    const failure = failureOf(thrown, handshakeErrors);
    if (failure.code === 'internal') parts.logger.error({ err: thrown, requestId: headers[1] }, 'a request failed');
    refusal = failure.code;
    sendFailure(response, headers, failure);
  }
  const route = module === 'handshake' ? HANDSHAKE_PATH : decisionPath(module);
  parts.metrics.requests.observe('GET', route, response.statusCode, refusal, (performance.now() - begun) / 1000);
}

function isFree({ actor, authorizedOrigins, authorizedAddresses }: KeyStanding): boolean {
  return actor.scopes.has('decide') && authorizedOrigins.length === 0 && authorizedAddresses.length === 0;
}

async function admit({ counters, meter }: DecisionLaneParts, secret: string, key: KeyStanding): Promise<void> {
  const count = await counters.increment(`${LIMIT.bucket}:key:${secret}`);
  if (count > LIMIT.perMinute) throw restFailure('rate_limited');
  await meter.admit(key.actor);
}

function send(response: ServerResponse, shared: string[], { body, etag }: Answer, known: string | undefined): void {
  const headers = [...shared, 'etag', etag, 'cache-control', 'private, no-cache'];
  if (matchesEntityTag(known, etag)) response.writeHead(304, headers).end();
  else response.writeHead(200, [...headers, ...JSON_TYPE, 'content-length', String(body.length)]).end(body);
}

function sendFailure(response: ServerResponse, shared: string[], failure: DomainError): void {
  const { status, body } = handshakeErrors[failure.code as keyof typeof handshakeErrors] as ErrorRow;
  const bytes = Buffer.from(JSON.stringify(body(failure.details, failure.message)));
  const headers = [...shared, 'cache-control', 'no-store', ...JSON_TYPE, 'content-length', String(bytes.length)];
  response.writeHead(status, headers).end(bytes);
}
