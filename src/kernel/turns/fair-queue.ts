/**
 * Waiting tasks of many tenants. Tenants take turns, so that none waits for all tasks of another. When the queue is
 * full, the tenant with the most waiting tasks loses its newest; in a tie, the new task is refused.
 */
export class FairQueue<Task> {
  /** In order of turns; contains only tenants with tasks. */
  private readonly waiting = new Map<string, Task[]>();
  private size = 0;

  constructor(private readonly room: number) {}

  /** Tenants with waiting tasks, in order of turns. */
  get tenants(): string[] {
    return [...this.waiting.keys()];
  }

  /** Adds a task. Returns the task dropped for it, which may be the same, or undefined while there is room. */
  add(tenant: string, task: Task): Task | undefined {
    const tasks = this.waiting.get(tenant) ?? [];
    tasks.push(task);
    this.waiting.set(tenant, tasks);
    this.size++;
    if (this.size <= this.room) return undefined;
    const own: [string, Task[]] = [tenant, tasks];
    const [greediest, most] = [...this.waiting].reduce((a, b) => (b[1].length > a[1].length ? b : a), own);
    const newest = most.at(-1) as Task;
    this.remove(greediest, newest);
    return newest;
  }

  /** Takes the oldest task of the tenant whose turn it is, passing over some tenants. */
  take(passesOver: (tenant: string) => boolean): { tenant: string; task: Task } | undefined {
    for (const [tenant, [task]] of this.waiting) {
      if (task === undefined || passesOver(tenant)) continue;
      this.remove(tenant, task);
      const others = this.waiting.get(tenant);
      if (others && this.waiting.delete(tenant)) this.waiting.set(tenant, others);
      return { tenant, task };
    }
    return undefined;
  }

  /** Removes a task if it is still waiting. */
  remove(tenant: string, task: Task): void {
    const tasks = this.waiting.get(tenant) ?? [];
    const place = tasks.indexOf(task);
    if (place < 0) return;
    tasks.splice(place, 1);
    this.size--;
    if (tasks.length === 0) this.waiting.delete(tenant);
  }

  clear(): Task[] {
    const tasks = [...this.waiting.values()].flat();
    this.waiting.clear();
    this.size = 0;
    return tasks;
  }
}
