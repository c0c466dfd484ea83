import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** One request of the load. `{{n}}` in the path or in a text body becomes a value that no other request of the run has. */
export interface LoadRequest {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  bodyBase64?: string;
}

/** What to send: the requests in turn, over so many connections, each with one request under way. */
export interface LoadOrder {
  /** Origin of the server, as `http://127.0.0.1:4000`. */
  url: string;
  requests: LoadRequest[];
  connections: number;
  /** How long at most; each request once when it is 0. */
  seconds: number;
  /** Requests a second; as many as there are answers unless given. What had to wait for a connection counts from when it was due. */
  perSecond?: number;
  warmUpSeconds: number;
}

/** What came back within the measured seconds; the warm-up is not in it. */
export interface LoadCount {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** What the slowest took. */
  mostMs: number;
  /** Answers by HTTP status. A bench should refuse a run with statuses it did not expect. */
  statuses: Record<string, number>;
  /** Connections that ended without an answer. */
  failures: number;
  /** CPU microseconds of the generator per request. */
  generatorMicros: number;
  seconds: number;
  /** The entity tags of the answers, in the order of the requests, where each was sent once. */
  tags?: string[];
}

const loadProcess = fileURLToPath(new URL('./load-process.js', import.meta.url));

/**
 * Sends load from a process of its own and waits for the count.
 * @throws when the generator ends without a count, or an answer has a status outside `expectedStatuses`
 */
export async function sendLoad(
  order: Omit<LoadOrder, 'warmUpSeconds'> & { warmUpSeconds?: number; expectedStatuses?: readonly number[] },
): Promise<LoadCount> {
  const child = fork(loadProcess, { execPath: process.execPath });
  const count = await new Promise<LoadCount>((resolve, reject) => {
    child.once('message', (message) => resolve(message as LoadCount));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the load generator ended with ${code} before its count`)));
    child.send({ warmUpSeconds: 0.5, ...order });
  });
  const { expectedStatuses } = order;
  const unexpected = Object.keys(count.statuses).filter(
    (status) => expectedStatuses?.includes(Number(status)) === false,
  );
  if (unexpected.length > 0) throw new Error(`unexpected answers: ${JSON.stringify(count.statuses)}`);
  return count;
}
