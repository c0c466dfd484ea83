import { FairQueue } from './fair-queue.js';
import { SupervisedThread } from './supervised-thread.js';
import { ThreadFailure } from './thread-failure.js';

export interface TenantThreadsOptions {
  /** The compiled file that the threads run. */
  file: URL;
  /** Threads at a time. */
  threads: number;
  /** JavaScript heap of a thread. */
  heapMegabytes: number;
  /** Tasks that may wait, of all tenants together. */
  room: number;
  /** How long a task may wait for its turn. */
  longestWaitMs: number;
  /** Threads without work end after this time and give their memory back. */
  idleMs: number;
}

interface Job<Task, Result> {
  task: Task;
  limits: readonly number[];
  handedOver: readonly ArrayBuffer[];
  resolve: (result: Result) => void;
  refuse: (failure: unknown) => void;
  timer: NodeJS.Timeout;
}

/**
 * A few threads for tasks of many tenants that may be hostile: a task that exceeds its limits costs its thread, not the process,
 * and a tenant has one task running at a time and takes turns with the others. Threads start when there is work.
 */
export class TenantThreads<Task, Result> {
  private readonly queue: FairQueue<Job<Task, Result>>;
  private readonly served = new Set<string>();
  private readonly threads = new Set<SupervisedThread<Task, Result>>();
  private idle: SupervisedThread<Task, Result>[] = [];
  private idleTimer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly options: TenantThreadsOptions) {
    this.queue = new FairQueue(options.room);
  }

  /**
   * Runs a task; `limits` are milliseconds of processor time for each of its steps, and waiting does not count. Memory that is handed over
   * is empty here as soon as the task runs.
   * Throws {@link ThreadFailure}.
   */
  run(tenant: string, task: Task, limits: readonly number[], handedOver: readonly ArrayBuffer[] = []): Promise<Result> {
    if (this.isClosed) return Promise.reject(new ThreadFailure('ended'));
    return new Promise((resolve, refuse) => {
      const tooLong = () => {
        this.queue.remove(tenant, job);
        refuse(new ThreadFailure('busy'));
      };
      const job = { task, limits, handedOver, resolve, refuse, timer: setTimeout(tooLong, this.options.longestWaitMs) };
      const refused = this.queue.add(tenant, job);
      if (refused) drop(refused, new ThreadFailure('busy'));
      this.serve();
    });
  }

  /** Refuses what waits and ends the threads, those at work too. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const job of this.queue.clear()) drop(job, new ThreadFailure('ended'));
    await this.end([...this.threads]);
  }

  private serve(): void {
    while (this.served.size < this.options.threads) {
      const next = this.queue.take((tenant) => this.served.has(tenant));
      if (!next) return;
      void this.serveOne(next.tenant, next.task);
    }
  }

  private async serveOne(tenant: string, job: Job<Task, Result>): Promise<void> {
    this.served.add(tenant);
    clearTimeout(job.timer);
    clearTimeout(this.idleTimer);
    let thread: SupervisedThread<Task, Result> | undefined;
    try {
      thread = this.takeThread();
      job.resolve(await thread.run(job.task, job.limits, job.handedOver));
      this.idle.push(thread);
    } catch (failure) {
      job.refuse(failure);
      if (thread) await this.end([thread]);
    }
    this.served.delete(tenant);
    this.idleTimer = setTimeout(() => void this.end(this.idle), this.options.idleMs).unref();
    this.serve();
  }

  private takeThread(): SupervisedThread<Task, Result> {
    for (let thread = this.idle.pop(); thread; thread = this.idle.pop()) {
      if (thread.isAlive) return thread;
    }
    const thread = new SupervisedThread<Task, Result>(this.options.file, this.options.heapMegabytes);
    this.threads.add(thread);
    return thread;
  }

  private async end(threads: SupervisedThread<Task, Result>[]): Promise<void> {
    this.idle = this.idle.filter((thread) => !threads.includes(thread));
    await Promise.all(threads.map((thread) => thread.end()));
    for (const thread of threads) this.threads.delete(thread);
  }
}

function drop<Task, Result>(job: Job<Task, Result>, failure: ThreadFailure): void {
  clearTimeout(job.timer);
  job.refuse(failure);
}
