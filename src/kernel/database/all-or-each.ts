import { isDatabaseUnavailable } from './database-failures.js';

/**
 * Writes all of them together, and where that fails each by itself: what the database does not take of one keeps no other waiting. Each that
 * fails by itself is given to `refused`. Throws when the database is away, since then nothing says which of them was at fault.
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
