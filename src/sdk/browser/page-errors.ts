import { listenToPage } from './page-events.js';

/** Reports uncaught errors; only one of several instances that share a mark does. */
export function listenToErrors(signal: AbortSignal, mark: string, report: (error: unknown) => void): void {
  const first = ((event: { [mark: string]: unknown }, error: unknown): void => {
    if (!event[mark]) report(error);
    event[mark] = true;
  }) as (event: object, error: unknown) => void;
  listenToPage(signal, {
    error: (event) => (event.error ?? event.message) && first(event, event.error ?? event.message),
    unhandledrejection: (event) => first(event, event.reason),
  });
}
