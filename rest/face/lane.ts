import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../src/kernel/logger.js';
import type { Metrics } from '../../src/kernel/metrics.js';
import { noteAnswer } from '../../src/kernel/requests/answered-request.js';
import type { RouteDurations } from '../../src/kernel/requests/request-durations.js';
import { requestIdOf } from '../../src/kernel/requests/request-id.js';
import type { Route } from '../route.js';
import type { Exchange } from './row-request.js';
import { type Run, type RunnerParts, runnerOf } from './runner.js';

export interface LaneParts extends RunnerParts {
  readonly metrics: Metrics;
  addressOf(message: IncomingMessage): string;
}

/** Handles a request without the web framework. Returns false when it leaves it to others, having read and counted nothing. */
export type Lane = (message: IncomingMessage, response: ServerResponse) => boolean;

interface FastRow {
  readonly row: Route;
  readonly durations: RouteDurations;
  readonly run: Run;
  /** Name of the parameter that is the last path segment. */
  readonly parameter: string | null;
}

/** A last path segment that needs no decoding. */
const PLAIN = /^[A-Za-z0-9_-]+$/;
const NO_PARAMS = {};

/**
 * The fast path, derived from the rows that ask for it: the same runner as on the common path, found by method and path alone. Other
 * methods, paths that need decoding, and URLs with a fragment take the common path.
 */
export function laneOf(rows: readonly Route[], parts: LaneParts): Lane {
  const found = new Map<string, FastRow>();
  for (const row of rows) {
    if (!row.fast) continue;
    const run = runnerOf(row, parts);
    const durations = parts.metrics.requests.of(row.method, row.path);
    for (const path of [row.path, ...(row.aliases ?? [])]) {
      const parameter = /:(\w+)$/.exec(path)?.[1] ?? null;
      found.set(`${row.method} ${path.replace(/:\w+$/, '')}`, { row, run, durations, parameter });
    }
  }
  return (message, response) => {
    const url = message.url ?? '';
    const question = url.indexOf('?');
    const path = question < 0 ? url : url.slice(0, question);
    let fast = found.get(`${message.method} ${path}`);
    let params: Exchange['params'] = NO_PARAMS;
    if (!fast || fast.parameter !== null) {
      const last = path.lastIndexOf('/') + 1;
      fast = found.get(`${message.method} ${path.slice(0, last)}`);
      const value = path.slice(last);
      if (!fast?.parameter || !PLAIN.test(value)) return false;
      params = { [fast.parameter]: value };
    }
    if (url.includes('#')) return false;
    const requestId = requestIdOf(message.headers['x-request-id']);
    answer(fast, { message, response, params, requestId, address: parts.addressOf(message) }, parts.logger);
    return true;
  };
}

function answer(fast: FastRow, exchange: Exchange, logger: Logger): void {
  const startedAt = performance.now();
  const refusal = fast.run(exchange);
  if (typeof refusal === 'string') {
    report(fast, exchange, startedAt, refusal);
    return;
  }
  refusal
    .then((code) => report(fast, exchange, startedAt, code))
    .catch((err: unknown) => {
      logger.error({ err, requestId: exchange.requestId }, 'a request failed outside its route');
      exchange.response.destroy();
    });
}

function report(
  { row, durations }: FastRow,
  { response, requestId }: Exchange,
  startedAt: number,
  refusal: string,
): void {
  durations.observe(response.statusCode, refusal, (performance.now() - startedAt) / 1000);
  noteAnswer(response, { route: row.path, refusal, requestId });
}
