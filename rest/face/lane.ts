import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../../src/kernel/metrics.js';
import { noteAnswer } from '../../src/kernel/requests/answered-request.js';
import { requestIdOf } from '../../src/kernel/requests/request-id.js';
import type { Route } from '../route.js';
import { type Exchange, type Run, type RunnerParts, runnerOf } from './runner.js';

/** What the fast way needs from the application. */
export interface LaneParts extends RunnerParts {
  readonly metrics: Metrics;
  addressOf(message: IncomingMessage): string;
}

/** Takes a request past the web framework. False when it leaves it to others: nothing of it was read then and nothing counted. */
export type Lane = (message: IncomingMessage, response: ServerResponse) => boolean;

interface FastRow {
  readonly row: Route;
  readonly run: Run;
  /** Name of the parameter that is the last part of the path. */
  readonly parameter: string | null;
}

/** A last part of a path in which nothing would have to be decoded. */
const PLAIN = /^[A-Za-z0-9_-]+$/;
const NO_PARAMS = {};

/**
 * The fast way, derived from the rows that ask for it: the same runner as the common way has, found by nothing but the method and the
 * path. Other methods, paths that would have to be decoded, and addresses with a fragment go the common way.
 */
export function laneOf(rows: readonly Route[], parts: LaneParts): Lane {
  const found = new Map<string, FastRow>();
  for (const row of rows) {
    if (!row.fast) continue;
    const run = runnerOf(row, parts);
    for (const path of [row.path, ...(row.aliases ?? [])]) {
      const parameter = /:(\w+)$/.exec(path)?.[1] ?? null;
      found.set(`${row.method} ${path.replace(/:\w+$/, '')}`, { row, run, parameter });
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
    const exchange = { message, response, params, requestId, address: parts.addressOf(message) };
    void answer(fast, exchange, parts);
    return true;
  };
}

async function answer({ row, run }: FastRow, exchange: Exchange, { metrics, logger }: LaneParts): Promise<void> {
  const begun = performance.now();
  const { response, requestId } = exchange;
  try {
    const refusal = await run(exchange);
    const seconds = (performance.now() - begun) / 1000;
    metrics.requests.observe(row.method, row.path, response.statusCode, refusal, seconds);
    noteAnswer(response, { route: row.path, refusal, requestId });
  } catch (err) {
    logger.error({ err, requestId }, 'a request failed outside of its route');
    response.destroy();
  }
}
