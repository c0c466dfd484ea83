import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Actor } from '../src/kernel/actor.js';
import type { BodyBudget, BodyHolding } from '../src/kernel/bodies/body-budget.js';
import { RequestBytes, refuseAnnounced } from '../src/kernel/bodies/request-bytes.js';
import type { Context } from '../src/kernel/context.js';
import { hangUpIfUnread } from '../src/kernel/hang-up.js';
import type { Logger } from '../src/kernel/logger.js';
import type { Transactions } from '../src/kernel/transactions.js';
import type { KeyStanding } from '../src/modules/access/keys/key-directory.js';
import type { Counters } from '../src/storage/shared/counters.js';
import { type Body, readJson } from './body.js';
import type { CallerGate, CallerSources, Identified } from './callers.js';
import { setCorsHeaders } from './cors.js';
import { type ErrorRow, failureOf, logFailure } from './error-table.js';
import { restFailure } from './failures.js';
import type { Description } from './openapi/description.js';
import { countRequest, type RateLimit } from './rate-limit.js';

/** What a verb sees of its request. */
export interface RestRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Malformed unless the route reads JSON. */
  readonly body: Body;
  /** The request itself, for routes that stream. */
  readonly message: IncomingMessage;
  /** Most bytes that the body may have. */
  readonly cap: number;
  /** The body's bytes, for routes that stream; to be asked for once. */
  readonly bytes: () => RequestBytes;
  readonly key: KeyStanding | null;
  /** Aborts when the client hangs up. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** JSON unless it is a stream or bytes; null is an empty body. */
  readonly body: object | Buffer | Readable | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a route reads of its body: `json` is read by the runner once the caller is known, `stream` is left to the verb. */
export interface RouteBody {
  readonly reads: 'json' | 'stream';
  /** Most bytes after inflation, one of `BODY_CAPS`. */
  readonly cap: number;
}

/** One row of the REST face: what the route needs, in the order in which the runner asks for it. */
export interface Route<Result = unknown, Code extends string = string> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Further paths of the same route. */
  readonly aliases?: readonly string[];
  readonly limit?: RateLimit;
  readonly caller: CallerGate;
  readonly body: RouteBody | null;
  /** `write` runs the verb in a transaction, `read` without one; `own` leaves both to the verb. */
  readonly runs: 'read' | 'write' | 'own';
  readonly verb: (ctx: Context, request: RestRequest) => Promise<Result>;
  readonly answer: (result: Result, request: RestRequest) => Answer;
  readonly errors: Readonly<Record<Code, ErrorRow>>;
  /** For openapi.json. */
  readonly describes: Description<NoInfer<Code>>;
}

/** What the runner needs from the application. */
export interface RunnerParts extends CallerSources {
  readonly tx: Transactions;
  readonly counters: Counters;
  readonly logger: Logger;
  readonly maxBodyBytes: number;
  readonly bodies: BodyBudget;
}

/** What the server put into Koa's state before any route. */
export interface RequestState {
  requestId: string;
  address: string;
  /** Set by the route that answers, for the metrics. */
  route?: string;
  /** Code of the failure that was answered, for the metrics. */
  refusal?: string;
}

/** Declares a route; its result type ties verb and answer together, and the failures it describes are rows of its table. */
export const route = <Result, Code extends string>(row: Route<Result, Code>): Route => row as unknown as Route;

/** Turns a row into Koa middleware: limit → caller → body → verb in its transaction → answer, or the row's error table. */
export function runRoute(row: Route, parts: RunnerParts): Middleware<RequestState> {
  const cap = Math.min(row.body?.cap ?? parts.maxBodyBytes, parts.maxBodyBytes);
  return async (koa) => {
    koa.state.route = row.path;
    if (row.caller.crossOrigin) setCorsHeaders(koa);
    let holding: BodyHolding | null = null;
    try {
      if (row.limit) await countRequest(parts.counters, row.limit, koa.req.headers['x-api-key'], koa.state.address);
      const identified = await row.caller.identify(parts, {
        message: koa.req,
        requestId: koa.state.requestId,
        address: koa.state.address,
      });
      await checkKeyLimit(row, parts, identified);
      refuseAnnounced(koa.req, cap);
      const held = parts.bodies.open(bodyOwner(identified.actor, koa.state.address));
      holding = held;
      const bytes = () => new RequestBytes(koa.req, cap, held);
      const body: Body = row.body?.reads === 'json' ? await readJson(bytes) : { malformed: true };
      const request = requestOf(koa, identified, { body, cap, bytes });
      const caller = { actor: identified.actor, requestId: koa.state.requestId, address: koa.state.address };
      const verb = (ctx: Context) => row.verb(ctx, request);
      const result = row.runs === 'write' ? await parts.tx.write(caller, verb) : await parts.tx.read(caller, verb);
      send(koa, row.answer(result, request));
    } catch (thrown) {
      sendFailure(koa, row, parts.logger, thrown);
    } finally {
      holding?.close();
    }
  };
}

/** Who shares the memory for bodies: a project with all of its keys, a user with all of their tokens, else an address. */
function bodyOwner(actor: Actor, address: string): string {
  if (actor.kind === 'key') return actor.projectId;
  return actor.kind === 'user' ? actor.userId : address;
}

/** A limit that a key was given of its own, on routes that have none. */
async function checkKeyLimit(row: Route, parts: RunnerParts, { key }: Identified): Promise<void> {
  if (row.limit || !key?.rateLimit) return;
  if ((await parts.counters.increment(`key:${key.actor.keyId}`)) > key.rateLimit) throw restFailure('rate_limited');
}

function requestOf(
  koa: ParameterizedContext<RequestState>,
  identified: Identified,
  read: Pick<RestRequest, 'body' | 'cap' | 'bytes'>,
): RestRequest {
  let aborted: AbortController | null = null;
  return {
    params: (koa.params as Record<string, string> | undefined) ?? {},
    query: new URLSearchParams(koa.querystring),
    headers: koa.req.headers,
    ...read,
    message: koa.req,
    key: identified.key,
    get signal() {
      if (!aborted) {
        const controller = new AbortController();
        koa.res.once('close', () => controller.abort());
        aborted = controller;
      }
      return aborted.signal;
    },
  };
}

function send(koa: ParameterizedContext<RequestState>, answer: Answer): void {
  koa.status = answer.status;
  if (answer.headers) koa.set(answer.headers as Record<string, string>);
  koa.body = answer.body;
  // Koa makes a null body a 204.
  koa.status = answer.status;
}

function sendFailure(koa: ParameterizedContext<RequestState>, row: Route, logger: Logger, thrown: unknown): void {
  if (koa.res.socket?.destroyed ?? true) return;
  const failure = failureOf(thrown, row.errors);
  koa.state.refusal = failure.code;
  const error = row.errors[failure.code] as ErrorRow;
  const route = `${row.method} ${row.path}`;
  logFailure(logger, thrown, error, { requestId: koa.state.requestId, route });
  const { status, body } = error;
  if (!koa.req.complete) {
    koa.set('connection', 'close');
    hangUpIfUnread(koa.req, koa.res);
  }
  koa.status = status;
  koa.body = body(failure.details, failure.message);
}
