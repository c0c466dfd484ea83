import { useEffect } from 'react';
import { refreshShown } from './freshness.js';
import { createStore } from './store.js';

/** Where to go when the session ends and nothing on screen needs keeping; set by the router, which this file must not import. */
export const atTheEnd = { ofSession: (): void => undefined };

/** The organization whose data this tab shows; null before anything is shown. */
let organizationOfTab: string | null = null;

/** Called with the organization of what the tab shows. Other tabs can change the session, which all share, to another one. */
export function stayIn(organizationId: string | null): void {
  organizationOfTab = organizationId;
}

/** Sent with every request: the server does not know a session of another organization. */
export const sessionHeaders = (): Record<string, string> => ({
  ...ANY_SESSION,
  ...(organizationOfTab && { 'quarterdeck-organization': organizationOfTab }),
});

/** Sent by those who replace the session, whatever organization it is for. */
export const ANY_SESSION = { 'apollo-require-preflight': 'console' };

/** Whether a sign-out is under way, after which the page is loaded anew. */
export const leaving = createStore(false);

const over = createStore(false);
let keepers = 0;
let waiting: (() => void)[] = [];

/**
 * Called when the server no longer knows the session. A page that keeps unsaved input prompts to sign in again;
 * others redirect to the sign-in page.
 */
export function endSession(): void {
  if (keepers > 0) over.set(true);
  else atTheEnd.ofSession();
}

/** The user has signed in again in place: continue what was waiting. */
export function resumeSession(): void {
  over.set(false);
  for (const goOn of waiting.splice(0)) goOn();
  refreshShown();
}

/** Resolves once the user has signed in again in place; resolves to false at once if there is no prompt. */
export function signedInAgain(): Promise<boolean> {
  if (!over.get()) return Promise.resolve(false);
  return new Promise((resolve) => waiting.push(() => resolve(true)));
}

/** Whether the session has ended while the page stays on screen. */
export function useSessionOver(): boolean {
  useEffect(() => {
    keepers += 1;
    return () => {
      keepers -= 1;
      over.set(false);
      waiting = [];
    };
  }, []);
  return over.use();
}
