import { useEffect } from 'react';
import { refreshShown } from './freshness.js';
import { told } from './told.js';

/** Where to go when a session is over of which nothing is on the screen; set by the router, which this file must not import. */
export const atTheEnd = { ofSession: (): void => undefined };

const over = told(false);
let keepers = 0;
let waiting: (() => void)[] = [];

/** Called when the server no longer knows the session. A page that keeps what was typed asks to sign in again; others give way to the sign-in. */
export function endSession(): void {
  if (keepers > 0) over.set(true);
  else atTheEnd.ofSession();
}

/** Somebody has signed in again in place: what waited for it goes on. */
export function resumeSession(): void {
  over.set(false);
  for (const goOn of waiting.splice(0)) goOn();
  refreshShown();
}

/** Resolves once somebody has signed in again in place; to false, at once, where nobody is asked to. */
export function signedInAgain(): Promise<boolean> {
  if (!over.get()) return Promise.resolve(false);
  return new Promise((resolve) => waiting.push(() => resolve(true)));
}

/** Whether the session has ended under what is on the screen, which from now on stays. */
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
