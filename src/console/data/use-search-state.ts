import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** What a page keeps in its address: filters, order, the open tab. An empty value takes its name out of it. */
export function useSearchState(): [
  Readonly<Record<string, string | undefined>>,
  (patch: Record<string, string | null>) => void,
] {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const change = useCallback(
    (patch: Record<string, string | null>) => {
      const next = (before: Record<string, unknown>) =>
        Object.fromEntries(Object.entries({ ...before, ...patch }).filter(([, value]) => value));
      void navigate({ to: '.', search: next as never, replace: true });
    },
    [navigate],
  );
  return [search, change];
}
