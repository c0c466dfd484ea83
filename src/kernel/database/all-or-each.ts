import { isDatabaseUnavailable } from './database-failures.js';

/**
 * Writes all items together or, if that fails, one by one, so that one bad item does not hold up the others. Items that
 * fail alone are passed to `refused`. Throws when the database is unavailable, since then no item is known to be at
 * fault.
 */
export async function allOrEach<Item>(
  items: readonly Item[],
  write: (items: readonly Item[]) => Promise<void>,
  refused: (item: Item, error: unknown) => Promise<void> | void,
): Promise<void> {
  try {
    await write(items);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    const [first] = items;
    if (items.length > 1) for (const item of items) await allOrEach([item], write, refused);
    else if (first !== undefined) await refused(first, error);
  }
}
