import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { SignOutDocument } from '#documents';
import { leaving } from '../data/session.js';
import { useChange } from '../data/use-document.js';

/** Signs out, here and on the server. A page with unsaved input asks first and may stay. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate();
  const [signOut] = useChange(SignOutDocument);
  return useCallback(async () => {
    await navigate({ to: '/sign-in' });
    if (window.location.pathname !== '/sign-in') return;
    leaving.set(true);
    await signOut({});
    // A full page load, so that nothing that was read stays in memory.
    window.location.assign('/sign-in');
  }, [navigate, signOut]);
}
