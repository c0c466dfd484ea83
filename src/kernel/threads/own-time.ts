import type { Worker } from 'node:worker_threads';

/** By the clock, a thread that gets little of the processor may take as long as this, and this many times as long as it may use of it. */
const [PATIENCE_MS, PATIENCE] = [30_000, 4];

/**
 * Calls `late` when a thread has used more than `milliseconds` of processor time from now on. A thread that waits for a processor
 * is not blamed for it, up to half a minute or four times as long by the clock. Returns what stops the watch.
 */
export function watchOwnTime(worker: Worker, milliseconds: number, late: () => void): () => void {
  const before = usedBy(worker);
  // A result may have come while this process was busy itself; the turn of the event loop delivers it first.
  const last = setTimeout(() => setImmediate(call), Math.max(PATIENCE_MS, PATIENCE * milliseconds));
  let timer = setTimeout(look, milliseconds);
  let isOver = false;

  async function look(): Promise<void> {
    const rest = milliseconds - ((await usedBy(worker)) - (await before));
    if (isOver) return;
    if (rest <= 0) call();
    else timer = setTimeout(look, Math.ceil(rest));
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

/** Milliseconds of processor time; none for a thread that has ended. */
async function usedBy(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return 0;
  }
}
