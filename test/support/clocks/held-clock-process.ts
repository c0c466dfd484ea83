/**
 * A process of the product whose clock stands still: `node held-clock-process.js <ISO 8601>`, with its settings in the
 * environment. It sends its port over IPC, advances the clock by the milliseconds it receives there, and ends when the
 * channel closes.
 */
import type { AddressInfo } from 'node:net';
import { App } from '../../../src/app.js';
import { readEnv } from '../../../src/env.js';
import { createLogger } from '../../../src/kernel/logger.js';
import { createHttpServer } from '../../../src/server.js';
import { TestClock } from './clock.js';

const clock = new TestClock();
clock.set(process.argv[2] ?? '');
const env = readEnv();
const logger = createLogger('error');
const jwtSecret = env.jwtSecret ?? '';
const app = await App.open({ env, databaseUrl: env.databaseUrl ?? '', jwtSecret, clock, logger }, false);
const server = await createHttpServer(app);
process.on('message', (milliseconds) => {
  clock.advance(Number(milliseconds));
  process.send?.('moved');
});
process.once('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
