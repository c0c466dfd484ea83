import { type Exchange, makeOperation, type Operation } from 'urql';
import { filter, fromArray, makeSubject, merge, mergeMap, pipe, tap } from 'wonka';

const REFRESH_AT_MOST_EVERY_MS = 2_000;
/** Of a list that somebody has gone far down, the pages after these are left as they were read. */
export const PAGES_REFRESHED = 4;

const again = makeSubject<Operation>();
const shown = new Map<number, Operation>();
/** What is on the screen and rests, see {@link restShown}. */
const resting = new Map<number, Operation>();
let refreshedAt = 0;

/** The queries that the server has been asked and has not answered, and what is done once it has. */
const underWay = new Map<number, (() => void) | undefined>();

/** Whether the server is answering the query now; if so, `then` runs once it has answered, in place of what was to run. */
function onceAnswered({ key }: Operation, then: () => void): boolean {
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

/** Remembers which queries are on the screen and sends them again when somebody comes back to the page. */
export const freshness: Exchange =
  ({ forward }) =>
  (operations) =>
    forward(
      merge([
        pipe(
          operations,
          tap((operation) => {
            if (operation.kind === 'query') shown.set(operation.key, operation);
            if (operation.kind === 'teardown') for (const known of [shown, resting]) known.delete(operation.key);
          }),
        ),
        pipe(
          again.source,
          filter(({ kind, key }) => kind !== 'query' || shown.has(key)),
        ),
      ]),
    );

/** Asks again for what is on the screen; what was shown stays until the answer comes, also where a change has just made the cache forget it. */
export function refreshShown(): void {
  refreshedAt = Date.now();
  for (const operation of shown.values()) askAgain(operation);
}

function askAgain(operation: Operation): void {
  if (Number(operation.context.page ?? 0) >= PAGES_REFRESHED) return;
  if (onceAnswered(operation, () => askAgain(operation))) return;
  again.next({ ...operation, context: { ...operation.context, requestPolicy: 'network-only' } });
}

/**
 * What is on the screen stays as it is: answers under way are given up, and neither a change nor a return to the page asks for it again.
 * The returned function asks for what is there still, and ends the rest.
 */
export function restShown(): () => void {
  for (const [key, operation] of shown) {
    resting.set(key, operation);
    shown.delete(key);
    // Nobody but the exchanges that follow hears that it ended: they stop what they do for it.
    again.next(makeOperation('teardown', operation, operation.context));
  }
  return () => {
    for (const [key, operation] of resting) {
      resting.delete(key);
      shown.set(key, operation);
      askAgain(operation);
    }
  };
}

function refreshForReturned(): void {
  if (document.visibilityState === 'visible' && Date.now() - refreshedAt > REFRESH_AT_MOST_EVERY_MS) refreshShown();
}

document.addEventListener('visibilitychange', refreshForReturned);
window.addEventListener('focus', refreshForReturned);
