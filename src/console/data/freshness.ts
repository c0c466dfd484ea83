import { type Exchange, makeOperation, type Operation } from 'urql';
import { filter, fromArray, makeSubject, merge, mergeMap, pipe, tap } from 'wonka';

const REFRESH_AT_MOST_EVERY_MS = 2_000;
/** In a list scrolled far down, pages beyond this number are not refreshed. */
export const PAGES_REFRESHED = 4;

const again = makeSubject<Operation>();
const shown = new Map<number, Operation>();
/** Whether the screen is frozen, see {@link restShown}. */
const resting = new Map<number, Operation>();
let refreshedAt = 0;

/** Whether a stream reports what changes, and the queries sent while none did, whose answers may be out of date. */
let isStreamOpen = false;
const maybeStale = new Set<number>();

/** The queries under way, with what to do after each. */
const underWay = new Map<number, (() => void) | undefined>();

/** Whether the query is under way; if so, `then` runs once it is answered, replacing any earlier callback. */
function onceAnswered({ key }: Operation, then: () => void): boolean {
  if (!underWay.has(key)) return false;
  underWay.set(key, then);
  return true;
}

/**
 * Goes below the cache. When a query is sent again while under way, drops the older answer: the cache would take it
 * for the newer one and show the state before a change it has already seen.
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
            if (kind === 'query') {
              underWay.set(key, undefined);
              if (!isStreamOpen) maybeStale.add(key);
            }
            if (kind === 'teardown') underWay.delete(key);
            return fromArray(isAgain ? [makeOperation('teardown', operation, context), operation] : [operation]);
          }),
        ),
      ),
      tap(({ operation: { key } }) => {
        const then = underWay.get(key);
        underWay.delete(key);
        // Let the cache process this answer first.
        if (then) queueMicrotask(then);
      }),
    );

/** Remembers which queries are on screen and sends them again when the user returns to the page. */
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

/**
 * Refetches what is on screen; the current data stays visible until the answer arrives, even if a change just evicted
 * it from the cache.
 */
export function refreshShown(): void {
  refreshedAt = Date.now();
  for (const operation of shown.values()) refetch(operation);
}

/** From now on, a stream reports changes. Refetches what was queried earlier, which may have changed since. */
export function streamOpened(): void {
  isStreamOpen = true;
  const stale = [...shown.values()].filter(({ key }) => maybeStale.has(key));
  maybeStale.clear();
  for (const operation of stale) refetch(operation);
}

/** From now on, nothing reports changes, neither to what is on screen nor to what is queried next. */
export function streamClosed(): void {
  isStreamOpen = false;
  for (const key of shown.keys()) maybeStale.add(key);
}

function refetch(operation: Operation): void {
  if (Number(operation.context.page ?? 0) >= PAGES_REFRESHED) return;
  if (onceAnswered(operation, () => refetch(operation))) return;
  again.next({ ...operation, context: { ...operation.context, requestPolicy: 'network-only' } });
}

/**
 * Freezes the screen: drops answers under way, and neither a change nor a return to the page refetches anything. The
 * returned function refetches what is still there and ends the rest.
 */
export function restShown(): () => void {
  for (const [key, operation] of shown) {
    resting.set(key, operation);
    shown.delete(key);
    // Only the exchanges below see this teardown and stop their work.
    again.next(makeOperation('teardown', operation, operation.context));
  }
  return () => {
    for (const [key, operation] of resting) {
      resting.delete(key);
      shown.set(key, operation);
      refetch(operation);
    }
  };
}

function refreshForReturned(): void {
  if (document.visibilityState === 'visible' && Date.now() - refreshedAt > REFRESH_AT_MOST_EVERY_MS) refreshShown();
}

document.addEventListener('visibilitychange', refreshForReturned);
window.addEventListener('focus', refreshForReturned);
