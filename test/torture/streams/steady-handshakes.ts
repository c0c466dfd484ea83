import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Client, type RestAnswer } from '../../support/client.js';
import type { Latencies } from '../neighbours/neighbour.js';

export interface SteadyOrder {
  url: string;
  /** Used in turn, so that none exceeds its limit. */
  keys: readonly string[];
  perSecond: number;
  seconds: number;
}

/** Handshakes of different persons at a steady rate, timed in a separate thread. */
export async function steadyHandshakes(order: SteadyOrder): Promise<Latencies & { failed: number }> {
  const thread = new Worker(new URL('./steady-handshakes-thread.js', import.meta.url), { workerData: order });
  const [seen] = (await once(thread, 'message')) as [Latencies & { failed: number }];
  return seen;
}

/** The handshake of the next person with the next key. */
export function handshakeOf({ url, keys }: Pick<SteadyOrder, 'url' | 'keys'>, turn: number): Promise<RestAnswer> {
  const key = keys[turn % keys.length] as string;
  return new Client(url).withKey(key).get(`/api/v1/handshake?distinct_id=user-${turn}`);
}
