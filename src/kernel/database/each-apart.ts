import { isDatabaseUnavailable } from './database-failures.js';

/**
 * Processes items one after another. A failure does not stop the others; it is thrown at the end, several failures as
 * an `AggregateError`. An aborted signal or an unavailable database ends it at once.
 */
export async function eachApart<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    signal?.throwIfAborted();
    try {
      await work(item);
    } catch (error) {
      if (signal?.aborted || isDatabaseUnavailable(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 1)
    throw new AggregateError(failures, `${failures.length} failed; the first error: ${failures[0]}`);
  if (failures.length === 1) throw failures[0];
}
