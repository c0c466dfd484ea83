/** The thread of {@link steadyHandshakes}: an event loop of its own, so that ten thousand streams of its process delay no measurement. */
import { parentPort, workerData } from 'node:worker_threads';
import { steadily } from '../neighbours/neighbour.js';
import { handshakeOf, type SteadyOrder } from './steady-handshakes.js';

const { perSecond, seconds, ...target } = workerData as SteadyOrder;
let turn = 0;
parentPort?.postMessage(
  await steadily(perSecond, seconds, async () => (await handshakeOf(target, turn++)).status === 200),
);
