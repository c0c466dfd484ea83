import { Agent, request as httpRequest } from 'node:http';
import { OpenApiContract } from '../support/openapi/openapi-contract.js';
import type { LogLine, TestApp } from '../support/test-app.js';
import { buildFuzzWorld } from './fuzz-world.js';
import { faultOfRaw, rawRequests } from './hostile-raw.js';
import { type HostileRequest, hostileRequests, usualRequests } from './hostile-requests.js';
import { faultOfAnswer, isStream, type SeenAnswer } from './rest-judge.js';

const SIDE_BY_SIDE = 6;
/** The clock advances by a minute after this many requests, so that per-minute limits do not hide everything else. */
const REQUESTS_A_MINUTE = 200;
const LONGEST_MS = 120_000;

export interface HostileRun {
  requests: number;
  /** Problems with answers, as `<request>: <fault>`. */
  faults: string[];
}

/** A request and the problem with its answer. */
interface Attack {
  readonly what: string;
  fault(): Promise<string | null>;
}

/**
 * Sends `most` of the hostile requests, chosen by the seed, or all of them. `log` is what the application logs
 * meanwhile. A server failure is a fault if it is not logged under the id of its answer, or if it appears only in the
 * log.
 */
export async function sendHostile(
  test: TestApp,
  log: readonly LogLine[],
  { seed, most = Number.POSITIVE_INFINITY }: { seed: number; most?: number },
): Promise<HostileRun> {
  const contract = new OpenApiContract();
  const world = await buildFuzzWorld(test);
  const agent = new Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE });
  const failedIds = new Set<string | null>();
  const credentialsOf = ({ caller }: HostileRequest) => world.callers[caller] ?? {};
  const attacks: Attack[] = [
    ...hostileRequests(contract, world.known, seed).map((request) => ({
      what: request.what,
      fault: async () => {
        const answer = await answerTo(test, request, credentialsOf(request), agent);
        if (typeof answer === 'string') return answer;
        if (answer.status >= 500) failedIds.add(answer.header('x-request-id'));
        return faultOfAnswer(contract, request.method, new URL(request.path, test.baseUrl).pathname, answer);
      },
    })),
    ...usualRequests(contract, world.known, seed)
      .flatMap((request) => rawRequests(request, credentialsOf(request)))
      .map((request) => ({ what: request.what, fault: () => faultOfRaw(test, request) })),
  ];
  const chosen = shuffled(attacks, seed).slice(0, most);
  const faults: string[] = [];
  let next = 0;
  const sendSome = async () => {
    for (let attack = chosen[next++]; attack !== undefined; attack = chosen[next++]) {
      if (next % REQUESTS_A_MINUTE === 0) test.clock.advance(60_000);
      const fault = await attack.fault();
      if (fault !== null) faults.push(`${attack.what}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, sendSome));
  agent.destroy();
  return { requests: chosen.length, faults: [...faults, ...unmatched(log, failedIds)] };
}

/** Failures that only the log or only the caller saw. */
export function unmatched(log: readonly LogLine[], failedIds: ReadonlySet<string | null>): string[] {
  const errors = log.filter(({ level }) => level >= 50);
  const ids = new Set(log.map(({ requestId }) => requestId));
  return [
    ...errors
      .filter(({ requestId }) => requestId === undefined || !failedIds.has(requestId))
      .map((line) => `logged without a failed answer: ${JSON.stringify(line).slice(0, 600)}`),
    ...[...failedIds].filter((id) => id === null || !ids.has(id)).map((id) => `failed but not in the log: ${id}`),
  ];
}

/** The answer to a request, or the reason why there is none. */
export function answerTo(
  test: TestApp,
  { method, path, headers, body }: HostileRequest,
  credentials: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<SeenAnswer | string> {
  const { hostname, port } = new URL(test.baseUrl);
  const length = body === null ? {} : { 'content-length': String(body.byteLength) };
  return new Promise((resolve) => {
    const sent = httpRequest(
      { hostname, port, method, path, agent, timeout: LONGEST_MS, headers: { ...length, ...credentials, ...headers } },
      (response) => {
        if (isStream(response.headers['content-type'])) {
          response.on('error', () => {}).destroy();
          resolve({
            status: response.statusCode ?? 0,
            header: (name) => String(response.headers[name] ?? '') || null,
            body: '',
          });
          return;
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', (error) => resolve(`the answer broke off: ${error.message}`));
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            header: (name) => [response.headers[name] ?? null].flat().join(', ') || null,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.once('timeout', () => sent.destroy(new Error(`no answer within ${LONGEST_MS} ms`)));
    sent.once('error', (error) => resolve(error.message));
    sent.end(body ?? undefined);
  });
}

function shuffled<T>(values: readonly T[], seed: number): T[] {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  return values
    .map((value) => ({ value, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ value }) => value);
}
