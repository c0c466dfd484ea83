import type { Worker } from 'node:worker_threads';

/** Wall-clock limits for a thread that gets little CPU: this long, and this many times its CPU limit. */
const [PATIENCE_MS, PATIENCE] = [30_000, 4];

/**
 * Calls `late` when a thread has used more than `milliseconds` of CPU time from now on. Waiting for a CPU does not
 * count, up to half a minute or four times the limit in wall-clock time. Returns a function that stops watching.
 */
export function watchOwnTime(worker: Worker, milliseconds: number, late: () => void): () => void {
  const before = usedBy(worker);
  // A result may have arrived while this process was busy; a turn of the event loop delivers it first.
  const last = setTimeout(() => setImmediate(call), Math.max(PATIENCE_MS, PATIENCE * milliseconds));
  let timer = setTimeout(check, milliseconds);
  let isOver = false;

  async function check(): Promise<void> {
    const rest = milliseconds - ((await usedBy(worker)) - (await before));
    if (isOver) return;
    if (rest <= 0) call();
    else timer = setTimeout(check, Math.ceil(rest));
  }
  function call(): void {
    if (isOver) return;
    stop();
    late();
  }
  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(last);
  }
  return stop;
}

/** CPU time in milliseconds; 0 for a thread that has ended. */
async function usedBy(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return 0;
  }
}
