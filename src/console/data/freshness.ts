import type { Exchange, Operation } from 'urql';
import { filter, makeSubject, merge, pipe, tap } from 'wonka';

const REFRESH_AT_MOST_EVERY_MS = 2_000;
/** Of a list that somebody has gone far down, the pages after these are left as they were read. */
const PAGES_REFRESHED = 4;

const again = makeSubject<Operation>();
const shown = new Map<number, Operation>();
let refreshedAt = 0;

/** Remembers which queries are on the screen and sends them again when somebody comes back to the page. */
export const freshness: Exchange =
  ({ forward }) =>
  (operations) =>
    pipe(
      merge([operations, again.source]),
      tap((operation) => {
        if (operation.kind === 'query') shown.set(operation.key, operation);
        if (operation.kind === 'teardown') shown.delete(operation.key);
      }),
      filter(({ kind, key }) => kind !== 'query' || shown.has(key)),
      forward,
    );

/** Asks again for what is on the screen; what was shown stays until the answer comes, also where a change has just made the cache forget it. */
export function refreshShown(): void {
  refreshedAt = Date.now();
  for (const operation of shown.values()) {
    if (Number(operation.context.page ?? 0) >= PAGES_REFRESHED) continue;
    again.next({ ...operation, context: { ...operation.context, requestPolicy: 'network-only' } });
  }
}

function refreshForReturned(): void {
  if (document.visibilityState === 'visible' && Date.now() - refreshedAt > REFRESH_AT_MOST_EVERY_MS) refreshShown();
}

document.addEventListener('visibilitychange', refreshForReturned);
window.addEventListener('focus', refreshForReturned);
