import { isDatabaseUnavailable } from './database-failures.js';

/**
 * Does the work for one item after the other. What fails for one keeps no other waiting; it is thrown when the others are through, several
 * failures as an `AggregateError`. A signal that aborts ends it at once, and so does a database that is away.
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
    throw new AggregateError(failures, `${failures.length} failed, the first as follows: ${failures[0]}`);
  if (failures.length === 1) throw failures[0];
}
