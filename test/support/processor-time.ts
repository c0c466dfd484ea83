/**
 * Milliseconds of CPU time that this thread spends on work: the least of several runs, because garbage may be collected
 * at any time. Unlike wall-clock time, it does not depend on how busy the machine is.
 */
export async function ownMilliseconds(work: () => unknown, goes = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let go = 0; go < goes; go++) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
