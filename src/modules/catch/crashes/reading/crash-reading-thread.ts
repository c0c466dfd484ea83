/** The code of the thread that reads large bodies of crash events. */
import { parentPort } from 'node:worker_threads';
import type { ThreadMessage } from '../../../../kernel/threads/supervised-thread.js';
import { type CrashOutcome, crashSlices } from './crash-slices.js';

/** A body to keep, a command to start over, or a command to continue. */
export type CrashReadingTask = { body: Uint8Array } | 'begin' | 'continue';
/** A slice of the body's events, or the result for the body. */
export type CrashReadingStep = IteratorResult<string, CrashOutcome>;

let body: Buffer = Buffer.alloc(0);
let slices = crashSlices(body);

const say = (message: ThreadMessage<CrashReadingStep>): void => parentPort?.postMessage(message);

parentPort?.on('message', (task: CrashReadingTask) => {
  if (typeof task === 'object') body = Buffer.from(task.body.buffer, task.body.byteOffset, task.body.byteLength);
  if (task !== 'continue') slices = crashSlices(body);
  say({ result: slices.next() });
});
say({ next: true });
