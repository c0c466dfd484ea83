import fc from 'fast-check';
import { OpenApiContract } from '../support/openapi/openapi-contract.js';
import type { TestApp } from '../support/test-app.js';
import { buildFuzzWorld, type FuzzWorld } from './fuzz-world.js';
import { faultOfAnswer, isStream } from './rest-judge.js';
import { type FuzzRequest, restRequests } from './rest-requests.js';

/** Number of concurrent requests. */
const SIDE_BY_SIDE = 6;
/** The clock advances by a minute after this many rounds, so that per-minute limits do not hide everything else. */
const ROUNDS_A_MINUTE = 40;

/** The result of a fuzzer run. */
export interface Fuzzed {
  readonly requests: number;
  /** Operations that answered successfully at least once. */
  readonly succeeded: ReadonlySet<string>;
}

/**
 * Sends requests generated from `docs/openapi.json` and checks every answer against it; a 5xx is always wrong. The same
 * seed produces the same requests. Fails with the shortest list of requests that it finds, and the seed.
 */
export async function fuzzRest(test: TestApp, { seed, rounds }: { seed: number; rounds: number }): Promise<Fuzzed> {
  const contract = new OpenApiContract();
  const world = await buildFuzzWorld(test);
  const succeeded = new Set<string>();
  let requests = 0;
  const lists = fc.array(restRequests(contract, world.known, Object.keys(world.callers)), {
    minLength: 1,
    maxLength: SIDE_BY_SIDE,
    size: 'max',
  });
  const answered = fc.asyncProperty(lists, async (list) => {
    if (requests % (ROUNDS_A_MINUTE * SIDE_BY_SIDE) < list.length) test.clock.advance(60_000);
    requests += list.length;
    const faults = await Promise.all(list.map((request) => faultOf(test, contract, world, request, succeeded)));
    const found = faults.filter((fault) => fault !== null);
    if (found.length > 0) throw new Error(found.join('\n'));
  });
  await fc.assert(answered, { seed, numRuns: rounds, includeErrorInReport: true });
  return { requests, succeeded };
}

async function faultOf(
  test: TestApp,
  contract: OpenApiContract,
  { callers }: FuzzWorld,
  { method, path, headers, body, caller }: FuzzRequest,
  succeeded: Set<string>,
): Promise<string | null> {
  const url = new URL(path, test.baseUrl);
  const response = await fetch(url, { method, headers: { ...headers, ...callers[caller] }, body, redirect: 'manual' });
  const answer = {
    status: response.status,
    header: (name: string) => response.headers.get(name),
    body: isStream(response.headers.get('content-type')) ? await hangUp(response) : await response.text(),
  };
  const operation = contract.operationFor(method, url.pathname);
  if (operation !== null && answer.status < 300) succeeded.add(contract.primaryOf(operation).id);
  const fault = faultOfAnswer(contract, method, url.pathname, answer);
  return fault === null ? null : `${method} ${url.pathname.slice(0, 200)}${url.search} as ${caller}: ${fault}`;
}

async function hangUp(response: Response): Promise<string> {
  await response.body?.cancel();
  return '';
}
