import { loader, type OperationContext } from '../verb-context.js';
import { conditionKey } from './condition-key.js';

/**
 * Groups equal requests of a batch and reads each group once; `read` answers by position in its group. A failure
 * affects only its own request. Returns answers by request position, as a DataLoader expects.
 */
export async function readAlike<A, V>(
  all: readonly A[],
  questionOf: (request: A) => string,
  read: (group: readonly [A, ...A[]]) => Promise<readonly V[]>,
): Promise<(V | Error)[]> {
  const found = new Map<A, V | Error>();
  for (const group of Map.groupBy(all, questionOf).values()) {
    // A group has at least one member.
    const answers = await read(group as [A, ...A[]]).catch((error: Error) => error);
    for (const [place, request] of group.entries())
      found.set(request, answers instanceof Error ? answers : (answers[place] as V));
  }
  return all.map((request) => found.get(request) as V | Error);
}

/**
 * Loads what an owner is asked for. All owners of one level with an equal question are read together, and `read`
 * answers by their positions.
 */
export function loadAlike<V>(
  operation: OperationContext,
  name: symbol,
  owner: string,
  question: unknown,
  read: (owners: readonly string[]) => Promise<readonly V[]>,
): Promise<V> {
  const request = { owner, key: conditionKey(question), read };
  const readAll = (all: readonly (typeof request)[]) =>
    readAlike(
      all,
      ({ key }) => key,
      (group) => group[0].read(group.map((one) => one.owner)),
    );
  return loader(operation, name, readAll, (one) => `${one.owner} ${one.key}`).load(request);
}
