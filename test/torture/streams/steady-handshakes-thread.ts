/**
 * The thread of {@link steadyHandshakes}: it has its own event loop, so that ten thousand streams in the process delay
 * no measurement.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { steadily } from '../neighbours/neighbour.js';
import { handshakeOf, type SteadyOrder } from './steady-handshakes.js';

const { perSecond, seconds, ...target } = workerData as SteadyOrder;
let turn = 0;
parentPort?.postMessage(
  await steadily(perSecond, seconds, async () => (await handshakeOf(target, turn++)).status === 200),
);
