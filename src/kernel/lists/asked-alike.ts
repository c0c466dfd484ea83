/**
 * Reads for each of what is asked together all that is asked alike; `read` answers by the place in its group. What fails, fails alone: the
 * others, though asked at the same time, have their answers. Answers by the place of what is asked, as a DataLoader takes it.
 */
export async function readAlike<A, V>(
  all: readonly A[],
  questionOf: (asked: A) => string,
  read: (group: readonly [A, ...A[]]) => Promise<readonly V[]>,
): Promise<(V | Error)[]> {
  const found = new Map<A, V | Error>();
  for (const group of Map.groupBy(all, questionOf).values()) {
    // A group has a member at least.
    const answers = await read(group as [A, ...A[]]).catch((error: Error) => error);
    for (const [place, asked] of group.entries())
      found.set(asked, answers instanceof Error ? answers : (answers[place] as V));
  }
  return all.map((asked) => found.get(asked) as V | Error);
}
