import { FairTurns } from '../turns/fair-turns.js';
import { SupervisedThread } from './supervised-thread.js';
import { ThreadFailure } from './thread-failure.js';

export interface TenantThreadsOptions {
  /** The compiled file that the threads run. */
  file: URL;
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

/**
 * A few threads for tasks of many tenants that may be hostile: a task that exceeds its limits costs its thread, not the process,
 * and a tenant has one task running at a time and takes turns with the others. Threads start when there is work.
 */
export class TenantThreads<Task, Result> {
  private readonly turns: FairTurns;
  private readonly threads = new Set<SupervisedThread<Task, Result>>();
  private idle: SupervisedThread<Task, Result>[] = [];
  private idleTimer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly options: TenantThreadsOptions) {
    const { threads, room, longestWaitMs } = options;
    this.turns = new FairTurns({ places: threads, room, longestWaitMs, failure: () => new ThreadFailure('busy') });
  }

  /**
   * Runs a task; `limits` are milliseconds of processor time for each of its steps, and waiting does not count.
   * Throws {@link ThreadFailure}.
   */
  async run(tenant: string, task: Task, limits: readonly number[]): Promise<Result> {
    if (this.isClosed) throw new ThreadFailure('ended');
    return this.turns.take(tenant, () => this.runInThread(task, limits));
  }

  /** Refuses what waits and ends the threads, those at work too. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idleTimer);
    this.turns.refuseAll(new ThreadFailure('ended'));
    await this.end([...this.threads]);
  }

  private async runInThread(task: Task, limits: readonly number[]): Promise<Result> {
    clearTimeout(this.idleTimer);
    const thread = this.takeThread();
    try {
      const result = await thread.run(task, limits);
      this.idle.push(thread);
      return result;
    } catch (failure) {
      await this.end([thread]);
      throw failure;
    } finally {
      clearTimeout(this.idleTimer);
      this.idleTimer = setTimeout(() => void this.end(this.idle), this.options.idleMs).unref();
    }
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
