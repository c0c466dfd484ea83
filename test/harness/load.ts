import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** One request of the load. `{{n}}` in the path or in a text body is replaced by a value unique within the run. */
export interface LoadRequest {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  bodyBase64?: string;
}

/** What to send: the requests in turn, over this many connections, each with one request in flight. */
export interface LoadOrder {
  /** Origin of the server, such as `http://127.0.0.1:4000`. */
  url: string;
  requests: LoadRequest[];
  connections: number;
  /** The maximum duration; with 0, each request is sent once. */
  seconds: number;
  /**
   * Requests per second; by default, as fast as the answers arrive. Requests that wait for a connection are timed from
   * when they were due.
   */
  perSecond?: number;
  warmUpSeconds: number;
}

/** What came back within the measured seconds, excluding the warm-up. */
export interface LoadCount {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The duration of the slowest request. */
  mostMs: number;
  /** Answers by HTTP status. A bench should reject a run with statuses it did not expect. */
  statuses: Record<string, number>;
  /** Connections that ended without an answer. */
  failures: number;
  /** CPU microseconds of the generator per request. */
  generatorMicros: number;
  seconds: number;
  /** The entity tags of the answers in request order, if each request was sent once. */
  tags?: string[];
}

const loadProcess = fileURLToPath(new URL('./load-process.js', import.meta.url));

/**
 * Sends load from a separate process and waits for the count.
 * @throws if the generator ends without a count, or an answer has a status outside `expectedStatuses`
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
