import type { Logger } from '../../src/kernel/logger.js';
import { leaveUnread } from '../../src/kernel/requests/hang-up.js';
import type { Soon } from '../../src/kernel/values/soon.js';
import type { Route } from '../route.js';
import { corsHeaders } from './cors.js';
import { type ErrorRow, failureOf, logFailure } from './error-table.js';
import { type Exchange, RowRequest } from './row-request.js';
import { type Answer, send } from './send.js';
import { type Step, type StepParts, stepsOf } from './steps.js';

export interface RunnerParts extends StepParts {
  readonly logger: Logger;
  /** What every answer carries, names and values in turn. */
  readonly headers: readonly string[];
}

/** Answers a request, whatever comes of it; gives the code of the refusal, or an empty text. */
export type Run = (exchange: Exchange) => Soon<string>;

/**
 * What a row does with a request: its steps, up to the verb, then its answer, or its error table. A request that has to wait for nothing is
 * answered when this returns.
 */
export function runnerOf(row: Route, parts: RunnerParts): Run {
  const cap = Math.min(row.body?.cap ?? parts.maxBodyBytes, parts.maxBodyBytes);
  const shared = row.caller.crossOrigin ? [...parts.headers, ...corsHeaders] : parts.headers;
  const route = `${row.method} ${row.path}`;
  const steps = stepsOf(row, parts);
  const onBroken = (err: Error, requestId: string) =>
    parts.logger.error({ err, requestId, route }, 'an answer broke off');
  const answer = ({ response, requestId }: RowRequest, given: Answer) =>
    send(response, requestId, shared, given, onBroken);

  /** Takes the steps from one on and answers; a promise when one of them has to wait. */
  const proceed = (request: RowRequest, from: number): Soon<string> => {
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
    // The parser says a turn after its head that a request has no body; before, its connection would be given up for one unread.
    await undefined;
    if (message.socket?.destroyed ?? true) return failure.code;
    const error = row.errors[failure.code] as ErrorRow;
    logFailure(parts.logger, thrown, error, { requestId, route });
    if (response.headersSent) {
      // What was begun cannot be taken back, and must not look whole.
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
