import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '../../src/kernel/actor.js';
import type { BodyBudget, BodyHolding } from '../../src/kernel/bodies/body-budget.js';
import { RequestBytes, refuseAnnounced } from '../../src/kernel/bodies/request-bytes.js';
import type { Transactions } from '../../src/kernel/database/transactions.js';
import type { Logger } from '../../src/kernel/logger.js';
import { leaveUnread } from '../../src/kernel/requests/hang-up.js';
import { accessFailure } from '../../src/modules/access/access.errors.js';
import type { KeyScope } from '../../src/modules/access/keys/key-scopes.js';
import type { KeyStanding } from '../../src/modules/access/keys/key-standing.js';
import type { RefetchPasses, UsedPass } from '../../src/modules/handshake/streams/refetch-passes.js';
import type { Counters } from '../../src/storage/shared/counters.js';
import { readJson } from '../body.js';
import type { CallerSources, Identified } from '../callers.js';
import { countRequest, keepTo } from '../rate-limit.js';
import type { RestRequest, Route } from '../route.js';
import { corsHeaders } from './cors.js';
import { type ErrorRow, failureOf, logFailure } from './error-table.js';
import { send } from './send.js';

/** What the runner needs from the application. */
export interface RunnerParts extends CallerSources {
  readonly tx: Transactions;
  readonly counters: Counters;
  readonly passes: RefetchPasses;
  readonly logger: Logger;
  readonly maxBodyBytes: number;
  readonly bodies: BodyBudget;
  /** What every answer carries, names and values in turn. */
  readonly headers: readonly string[];
}

/** A request that has found its row. */
export interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly address: string;
}

/** Answers a request, whatever comes of it; resolves with the code of the refusal, or an empty text. */
export type Run = (exchange: Exchange) => Promise<string>;

/**
 * What a row does with a request: limit → caller → body → verb in its transaction → answer, or the row's error table. It waits only for
 * what is not known yet: every turn of the microtask queue costs a busy route as much as finding its caller.
 */
export function runnerOf(row: Route, parts: RunnerParts): Run {
  const cap = Math.min(row.body?.cap ?? parts.maxBodyBytes, parts.maxBodyBytes);
  const shared = row.caller.crossOrigin ? [...parts.headers, ...corsHeaders] : parts.headers;
  const named = `${row.method} ${row.path}`;
  return async (exchange) => {
    const { message, response, requestId, address } = exchange;
    let holding: BodyHolding | null = null;
    const onBroken = (err: Error) => parts.logger.error({ err, requestId, route: named }, 'an answer broke off');
    try {
      const given = row.takesPass ? passIn(message) : null;
      let pass = given === null ? null : await parts.passes.use(given);
      const counted = pass ? undefined : count(row, parts, exchange);
      if (counted) await counted;
      const identifying = row.caller.identify(parts, exchange);
      const identified = identifying instanceof Promise ? await identifying : identifying;
      if (pass && !(identified.key && parts.passes.isOf(pass, identified.key.actor))) {
        await count(row, parts, exchange);
        pass = null;
      }
      const checked = checkKey(row, parts, identified.key, pass);
      if (checked) await checked;
      if (row.scope) checkScope(row.scope, identified.key);
      refuseAnnounced(message, cap);
      const request = new RowRequest(exchange, identified, cap, pass?.uses ?? null);
      if (row.body) {
        holding = parts.bodies.open(bodyOwner(identified.actor, address));
        request.holding = holding;
        if (row.body.reads === 'json') request.body = row.body.parse(await readJson(request));
      }
      const caller = { actor: identified.actor, requestId, address };
      const result =
        row.runs === 'write'
          ? await parts.tx.write(caller, (ctx) => row.verb(ctx, request))
          : await row.verb(parts.tx.reader(caller), request);
      send(response, requestId, shared, row.answer(result, request), onBroken);
      return '';
    } catch (thrown) {
      const failure = failureOf(thrown, row.errors);
      // The parser says a turn after its head that a request has no body; before, its connection would be given up for one unread.
      await undefined;
      if (message.socket?.destroyed ?? true) return failure.code;
      const error = row.errors[failure.code] as ErrorRow;
      logFailure(parts.logger, thrown, error, { requestId, route: named });
      if (response.headersSent) {
        // What was begun cannot be taken back, and must not look whole.
        response.destroy();
        return failure.code;
      }
      const headers = leaveUnread(message, response) ? CLOSING : {};
      const { status, body } = error;
      send(response, requestId, shared, { status, body: body(failure.details, failure.message), headers }, onBroken);
      return failure.code;
    } finally {
      holding?.close();
    }
  };
}

const CLOSING = { connection: 'close' };
const TAG_IN_ADDRESS = /[?&]flagConfigEtag=(?:%22)?([\w.-]+)/;

/** The pass of a notice: in a header, or where OpenFeature's providers send back the tag of the event that they follow. */
function passIn({ headers, url }: IncomingMessage): string | null {
  const given = headers['quarterdeck-refetch'] ?? TAG_IN_ADDRESS.exec(url ?? '')?.[1];
  return typeof given === 'string' ? given : null;
}

/** Counts a request against the limit of its row, where that has one. */
function count({ limit, caller }: Route, { counters }: RunnerParts, { message, address }: Exchange) {
  return limit && countRequest(counters, limit, caller.secretOf?.(message), address);
}

/** Whether a key is below the limit that it was given of its own, on routes that have none. */
function checkKey({ limit }: Route, { counters }: RunnerParts, key: KeyStanding | null, pass: UsedPass | null) {
  if (limit || pass || !key?.rateLimit) return undefined;
  return keepTo(key.rateLimit, counters.increment(`key:${key.actor.keyId}`));
}

/** Whether a key may do this. */
function checkScope(scope: KeyScope, key: KeyStanding | null): void {
  if (key && !key.actor.scopes.has(scope)) throw accessFailure('insufficient_scope', { scope });
}

/** Who shares the memory for bodies: a project with all of its keys, a user with all of their tokens, else an address. */
function bodyOwner(actor: Actor, address: string): string {
  if (actor.kind === 'key') return actor.projectId;
  return actor.kind === 'user' ? actor.userId : address;
}

class RowRequest implements RestRequest {
  body: unknown;
  holding: BodyHolding | null = null;
  readonly params: RestRequest['params'];
  readonly message: IncomingMessage;
  readonly key: KeyStanding | null;
  readonly address: string;
  private readonly response: ServerResponse;
  private asked: URLSearchParams | null = null;
  private aborted: AbortController | null = null;

  constructor(
    { message, response, params, address }: Exchange,
    { key }: Identified,
    readonly cap: number,
    readonly passUses: number | null,
  ) {
    this.address = address;
    this.params = params;
    this.message = message;
    this.response = response;
    this.key = key;
  }

  get headers(): IncomingMessage['headers'] {
    return this.message.headers;
  }

  get query(): URLSearchParams {
    this.asked ??= new URLSearchParams(/\?([^#]*)/.exec(this.message.url ?? '')?.[1]);
    return this.asked;
  }

  get signal(): AbortSignal {
    if (!this.aborted) {
      const controller = new AbortController();
      this.response.once('close', () => controller.abort());
      this.aborted = controller;
    }
    return this.aborted.signal;
  }

  bytes(): RequestBytes {
    if (!this.holding) throw new Error('the row has no body');
    return new RequestBytes(this.message, this.cap, this.holding);
  }
}
