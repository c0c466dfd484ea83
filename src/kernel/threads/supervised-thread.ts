import { Worker } from 'node:worker_threads';
import { watchOwnTime } from './own-time.js';
import { ThreadFailure, type ThreadFailureReason } from './thread-failure.js';

/** A thread's message: it continues with the next step (also once after loading its code), or its result. */
export type ThreadMessage<Result> = { next: true } | { result: Result };

const LOADING_MS = 10_000;

/**
 * A worker thread that runs one task after another, each step within a limit, on its own heap. After a failure it is
 * unusable and must be ended.
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
    // Without a listener, a thread error would end the process.
    this.worker.on('error', () => undefined);
    this.worker.once('exit', () => {
      this.hasEnded = true;
    });
  }

  get isAlive(): boolean {
    return !this.hasEnded;
  }

  /** Runs a task; `limits` are milliseconds of CPU time per step. Throws {@link ThreadFailure}. */
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

  /** Ends it, whatever it is doing; resolves when it has ended. */
  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
