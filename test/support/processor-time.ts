/**
 * Milliseconds of processor time that this thread spends on work: of a few goes the least, because garbage is collected at any time.
 * Unlike the clock it does not tell how busy the machine is.
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
