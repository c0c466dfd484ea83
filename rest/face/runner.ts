import type { Logger } from '../../src/kernel/logger.js';
import { leaveUnread } from '../../src/kernel/requests/hang-up.js';
import type { MaybePromise } from '../../src/kernel/values/maybe-promise.js';
import type { Route } from '../route.js';
import { corsHeaders } from './cors.js';
import { type ErrorRow, failureOf, logFailure } from './error-table.js';
import { type Exchange, RowRequest } from './row-request.js';
import { type Answer, send } from './send.js';
import { type Step, type StepParts, stepsOf } from './steps.js';

export interface RunnerParts extends StepParts {
  readonly logger: Logger;
  /** Headers of every response, names and values alternating. */
  readonly headers: readonly string[];
}

/** Answers a request in any case; returns the error code, or an empty string. */
export type Run = (exchange: Exchange) => MaybePromise<string>;

/**
 * Runs a request through its row: its steps, then its verb, then the response or its error table. A request that needn't wait for anything
 * is answered when this returns.
 */
export function runnerOf(row: Route, parts: RunnerParts): Run {
  const cap = Math.min(row.body?.cap ?? parts.maxBodyBytes, parts.maxBodyBytes);
  const shared = row.caller.crossOrigin ? [...parts.headers, ...corsHeaders] : parts.headers;
  const route = `${row.method} ${row.path}`;
  const steps = stepsOf(row, parts);
  const onBroken = (err: Error, requestId: string) =>
    parts.logger.error({ err, requestId, route }, 'a response was cut off');
  const answer = ({ response, requestId }: RowRequest, given: Answer) =>
    send(response, requestId, shared, given, onBroken);

  /** Runs the steps from one on and answers; returns a promise if one of them has to wait. */
  const proceed = (request: RowRequest, from: number): MaybePromise<string> => {
    for (let at = from; at < steps.length; at += 1) {
      const waiting = (steps[at] as Step)(request);
      if (waiting) return waiting.then(() => proceed(request, at + 1));
    }
    answer(request, row.answer(request.result, request));
    request.holding?.close();
    return '';
  };

  const refuse = async (request: RowRequest, thrown: unknown): Promise<string> => {
    const { message, response, requestId } = request;
    request.holding?.close();
    const failure = failureOf(thrown, row.errors);
    // The parser reports that a request has no body one turn after its headers; before that, its connection would be closed for an unread
    // body.
    await undefined;
    if (message.socket?.destroyed ?? true) return failure.code;
    const error = row.errors[failure.code] as ErrorRow;
    logFailure(parts.logger, thrown, error, { requestId, route });
    if (response.headersSent) {
      // A response that has begun can't be taken back, and must not look complete.
      response.destroy();
      return failure.code;
    }
    const headers = leaveUnread(message, response) ? CLOSING : {};
    const { status, body } = error;
    answer(request, { status, body: body(failure.details, failure.message), headers });
    return failure.code;
  };

  return (exchange) => {
    const request = new RowRequest(exchange, cap);
    try {
      const done = proceed(request, 0);
      return done instanceof Promise ? done.catch((thrown: unknown) => refuse(request, thrown)) : done;
    } catch (thrown) {
      return refuse(request, thrown);
    }
  };
}

const CLOSING = { connection: 'close' };
