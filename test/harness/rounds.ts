/** The middle value; the mean of the two middle ones for an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The spread of the values: (largest − smallest) ÷ median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

/**
 * Runs the sides in turn, first once each unmeasured, then `rounds` times each. Every other round reverses the order,
 * so that a slow spell of the machine affects all sides. Returns each side's results by round; nothing for a side that
 * is null.
 */
export async function alternate<T extends string, R>(
  rounds: number,
  sides: Readonly<Record<T, (() => Promise<R>) | null>>,
): Promise<Record<T, R[]>> {
  const names = Object.keys(sides) as T[];
  const results = Object.fromEntries(names.map((name) => [name, [] as R[]])) as Record<T, R[]>;
  const runs = names.flatMap((name) => (sides[name] ? [{ name, run: sides[name] }] : []));
  for (const { run } of runs) await run();
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, run } of round % 2 === 0 ? runs : runs.toReversed()) results[name].push(await run());
  }
  return results;
}
