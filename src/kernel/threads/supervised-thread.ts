import { Worker } from 'node:worker_threads';
import { watchOwnTime } from './own-time.js';
import { ThreadFailure, type ThreadFailureReason } from './thread-failure.js';

/** What a thread says: that it goes on to the next step, also once when it has loaded its code, or what the result is. */
export type ThreadMessage<Result> = { next: true } | { result: Result };

const LOADING_MS = 10_000;

/**
 * A worker thread that runs one task after the other, each step of it within a limit, on a heap of its own. After a failure
 * it is of no use; end it.
 */
export class SupervisedThread<Task, Result> {
  private readonly worker: Worker;
  private isLoaded = false;
  private hasEnded = false;

  constructor(file: URL, heapMegabytes: number) {
    this.worker = new Worker(file, {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    this.worker.unref();
    // Without a listener an error of the thread would end the process.
    this.worker.on('error', () => undefined);
    this.worker.once('exit', () => {
      this.hasEnded = true;
    });
  }

  get isAlive(): boolean {
    return !this.hasEnded;
  }

  /** Runs a task; `limits` are milliseconds of processor time for each of its steps. Throws {@link ThreadFailure}. */
  run(task: Task, limits: readonly number[], handedOver: readonly ArrayBuffer[] = []): Promise<Result> {
    if (this.hasEnded) return Promise.reject(new ThreadFailure('ended', 0));
    const steps = this.isLoaded ? limits : [LOADING_MS, ...limits];
    const loading = steps.length - limits.length;
    return new Promise((resolve, reject) => {
      let step = 0;
      const watch = () => watchOwnTime(this.worker, steps[step] ?? 0, () => fail('time'));
      let stopWatching = watch();
      const leave = () => {
        stopWatching();
        this.worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      };
      const fail = (reason: ThreadFailureReason, cause?: unknown) => {
        leave();
        reject(new ThreadFailure(reason, Math.max(step - loading, 0), { cause }));
      };
      const onMessage = (message: ThreadMessage<Result>) => {
        if ('result' in message) {
          leave();
          resolve(message.result);
          return;
        }
        this.isLoaded = true;
        stopWatching();
        step++;
        stopWatching = watch();
      };
      const onError = (error: NodeJS.ErrnoException) =>
        fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'ended', error);
      const onExit = () => fail('ended');
      this.worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      this.worker.postMessage(task, [...handedOver]);
    });
  }

  /** Ends it, whatever it does; resolves when it is gone. */
  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
