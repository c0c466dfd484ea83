/**
 * Groups equal requests of a batch and reads each group once; `read` answers by position in its group. A failure
 * affects only its own request. Returns answers by request position, as a DataLoader expects.
 */
export async function readAlike<A, V>(
  all: readonly A[],
  questionOf: (asked: A) => string,
  read: (group: readonly [A, ...A[]]) => Promise<readonly V[]>,
): Promise<(V | Error)[]> {
  const found = new Map<A, V | Error>();
  for (const group of Map.groupBy(all, questionOf).values()) {
    // A group has at least one member.
    const answers = await read(group as [A, ...A[]]).catch((error: Error) => error);
    for (const [place, asked] of group.entries())
      found.set(asked, answers instanceof Error ? answers : (answers[place] as V));
  }
  return all.map((asked) => found.get(asked) as V | Error);
}
