/** Does something for each of many items, a number of them at a time, in their order. */
export async function sideBySide<T>(
  many: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const waiting = many.values();
  const lane = async (): Promise<void> => {
    for (const one of waiting) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
