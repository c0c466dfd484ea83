import { useCallback } from 'react';
import { SignOutDocument } from '#documents';
import { useChange } from '../data/use-document.js';

/** Signs out, here and on the server. */
export function useLeave(): () => Promise<void> {
  const [signOut] = useChange(SignOutDocument);
  return useCallback(async () => {
    await signOut({});
    // A full page load, so that nothing that was read stays in memory.
    window.location.assign('/sign-in');
  }, [signOut]);
}
