import { FairTurns } from '../turns/fair-turns.js';
import { SingleTimer } from '../turns/single-timer.js';
import { SupervisedThread } from './supervised-thread.js';
import { ThreadFailure } from './thread-failure.js';

export interface TenantThreadsOptions {
  file: URL;
  threads: number;
  /** JavaScript heap of a thread. */
  heapMegabytes: number;
  /** Maximum waiting tasks of all tenants. */
  room: number;
  longestWaitMs: number;
  /** Idle threads end after this time to free their memory. */
  idleMs: number;
}

/**
 * A few threads for possibly hostile tasks of many tenants: a task over its limits ends its thread, not the process,
 * and each tenant runs one task at a time and takes turns with the others. Threads start on demand.
 */
export class TenantThreads<Task, Result> {
  private readonly turns: FairTurns;
  private readonly threads = new Set<SupervisedThread<Task, Result>>();
  private idle: SupervisedThread<Task, Result>[] = [];
  private readonly idleTimer = new SingleTimer(() => void this.end(this.idle));
  private isClosed = false;

  constructor(private readonly options: TenantThreadsOptions) {
    const { threads, room, longestWaitMs } = options;
    this.turns = new FairTurns({ places: threads, room, longestWaitMs, failure: () => new ThreadFailure('busy') });
  }

  /**
   * Runs a task; `limits` are milliseconds of CPU time per step, without waiting.
   * Throws {@link ThreadFailure}.
   */
  async run(tenant: string, task: Task, limits: readonly number[]): Promise<Result> {
    if (this.isClosed) throw new ThreadFailure('ended');
    return this.turns.take(tenant, () => this.runInThread(task, limits));
  }

  /** Refuses waiting tasks and ends all threads, including busy ones. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.idleTimer.stop();
    this.turns.refuseAll(new ThreadFailure('ended'));
    await this.end([...this.threads]);
  }

  private async runInThread(task: Task, limits: readonly number[]): Promise<Result> {
    this.idleTimer.stop();
    const thread = this.takeThread();
    try {
      const result = await thread.run(task, limits);
      this.idle.push(thread);
      return result;
    } catch (failure) {
      await this.end([thread]);
      throw failure;
    } finally {
      this.idleTimer.stop();
      this.idleTimer.in(this.options.idleMs);
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
