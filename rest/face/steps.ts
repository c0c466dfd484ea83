import type { IncomingMessage } from 'node:http';
import type { Actor } from '../../src/kernel/actor.js';
import type { BodyBudget } from '../../src/kernel/bodies/body-budget.js';
import { refuseAnnounced } from '../../src/kernel/bodies/request-bytes.js';
import type { Transactions } from '../../src/kernel/database/transactions.js';
import { accessFailure } from '../../src/modules/access/access.errors.js';
import type { RefetchPasses } from '../../src/modules/handshake/streams/refetch-passes.js';
import type { Counters } from '../../src/storage/shared/counters.js';
import { readJson } from '../body.js';
import type { CallerSources, Identified } from '../callers.js';
import { countRequest, keepTo } from '../rate-limit.js';
import type { Route } from '../route.js';
import type { RowRequest } from './row-request.js';

export interface StepParts extends CallerSources {
  readonly tx: Transactions;
  readonly counters: Counters;
  readonly passes: RefetchPasses;
  readonly maxBodyBytes: number;
  readonly bodies: BodyBudget;
}

/** Performs one step of a request; returns a promise only if it has to wait, since every microtask turn is expensive on a busy route. */
export type Step = (request: RowRequest) => Promise<void> | undefined;

/** What a row does with a request before its response, in order: limit → caller → body → verb in its transaction. */
export function stepsOf(row: Route, parts: StepParts): readonly Step[] {
  return [
    ...(row.takesPass ? [countPass(parts)] : []),
    ...(row.limit ? [count(row, parts)] : []),
    identify(row, parts),
    ...(row.takesPass ? [settlePass(row, parts)] : []),
    // On routes without a limit, a key may have its own.
    ...(row.limit ? [] : [countKey(parts)]),
    check(row),
    ...(row.body ? [takeBody(row.body, parts)] : []),
    callVerb(row, parts),
  ];
}

const TAG_IN_ADDRESS = /[?&]flagConfigEtag=(?:%22)?([\w.-]+)/;

/** The pass from a notice, in a header, or where OpenFeature's providers send back the tag of the event they follow. */
function passIn({ headers, url }: IncomingMessage): string | null {
  const given = headers['quarterdeck-refetch'] ?? TAG_IN_ADDRESS.exec(url ?? '')?.[1];
  return typeof given === 'string' ? given : null;
}

function countPass({ passes }: StepParts): Step {
  return (request) => {
    const given = passIn(request.message);
    if (given === null) return undefined;
    return passes.use(given).then((pass) => {
      request.pass = pass;
    });
  };
}

/** Counts a request without a pass against its row's limit. */
function count({ limit, caller }: Route, { counters }: StepParts): Step {
  return ({ pass, message, address }) =>
    pass || !limit ? undefined : countRequest(counters, limit, caller.secretOf?.(message), address);
}

function identify({ caller }: Route, parts: StepParts): Step {
  const settle = (request: RowRequest, { actor, key }: Identified): undefined => {
    request.actor = actor;
    request.key = key;
  };
  return (request) => {
    const identified = caller.identify(parts, request);
    if (identified instanceof Promise) return identified.then((found) => settle(request, found));
    return settle(request, identified);
  };
}

/** A request with someone else's pass is counted after all. */
function settlePass(row: Route, parts: StepParts): Step {
  const countAfterAll = row.limit && count(row, parts);
  return (request) => {
    const { pass, key } = request;
    if (!pass || (key && parts.passes.isOf(pass, key.actor))) return undefined;
    request.pass = null;
    return countAfterAll?.(request);
  };
}

function countKey({ counters }: StepParts): Step {
  return ({ pass, key }) =>
    pass || !key?.rateLimit ? undefined : keepTo(key.rateLimit, counters.increment(`key:${key.actor.keyId}`));
}

/** Whether a key may do this, and how much the client says it will send. */
function check({ scope }: Route): Step {
  return ({ key, message, cap }) => {
    if (scope && key && !key.actor.scopes.has(scope)) throw accessFailure('insufficient_scope', { scope });
    refuseAnnounced(message, cap);
    return undefined;
  };
}

function takeBody(body: NonNullable<Route['body']>, { bodies }: StepParts): Step {
  return (request) => {
    request.holding = bodies.open(bodyOwner(request.actor, request.address));
    if (body.reads === 'stream') return undefined;
    return readJson(request).then((read) => {
      request.body = body.parse(read);
    });
  };
}

/** Who shares the memory for bodies: a project with all its keys, a user with all their tokens, or an address. */
function bodyOwner(actor: Actor, address: string): string {
  if (actor.kind === 'key') return actor.projectId;
  return actor.kind === 'user' ? actor.userId : address;
}

function callVerb({ runs, verb }: Route, { tx }: StepParts): Step {
  return (request) => {
    const found =
      runs === 'write' ? tx.write(request, async (ctx) => verb(ctx, request)) : verb(tx.reader(request), request);
    if (found instanceof Promise)
      return found.then((result) => {
        request.result = result;
      });
    request.result = found;
    return undefined;
  };
}
