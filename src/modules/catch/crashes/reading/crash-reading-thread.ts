/** The code of the thread that reads large bodies of crash events. */
import { parentPort } from 'node:worker_threads';
import type { ThreadMessage } from '../../../../kernel/threads/supervised-thread.js';
import { type CrashReading, readCrashBatch } from './crash-batch.js';

const say = (message: ThreadMessage<CrashReading>): void => parentPort?.postMessage(message);

parentPort?.on('message', (bytes: Uint8Array) => say({ result: readCrashBatch(bytes) }));
say({ next: true });
