import { type Exchange, makeOperation, type Operation } from 'urql';
import { fromArray, mergeMap, pipe, tap } from 'wonka';

/** The queries that the server has been asked and has not answered, and what is done once it has. */
const underWay = new Map<number, (() => void) | undefined>();

/** Whether the server is answering the query now; if so, `then` runs once it has answered, in place of what was to run. */
export function onceAnswered({ key }: Operation, then: () => void): boolean {
  if (!underWay.has(key)) return false;
  underWay.set(key, then);
  return true;
}

/**
 * Stands below the cache. Of a query that is asked anew while it is under way, the answer to the older question is given up: the cache would
 * take it for the newer one's, and show what was there before a change that it has seen.
 */
export const newestAnswer: Exchange =
  ({ forward }) =>
  (operations) =>
    pipe(
      forward(
        pipe(
          operations,
          mergeMap((operation) => {
            const { kind, key, context } = operation;
            const isAgain = kind === 'query' && underWay.has(key);
            if (kind === 'query') underWay.set(key, undefined);
            if (kind === 'teardown') underWay.delete(key);
            return fromArray(isAgain ? [makeOperation('teardown', operation, context), operation] : [operation]);
          }),
        ),
      ),
      tap(({ operation: { key } }) => {
        const then = underWay.get(key);
        underWay.delete(key);
        // The cache takes this answer first.
        if (then) queueMicrotask(then);
      }),
    );
