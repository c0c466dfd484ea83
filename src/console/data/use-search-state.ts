import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * The page's state in its address: filters, order, the open tab. An empty value removes the name. A change with
 * `step` adds a history entry that Back undoes; other changes replace the current one.
 */
export function useSearchState(): [
  Readonly<Record<string, string | undefined>>,
  (patch: Record<string, string | null>, step?: object) => void,
] {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const change = useCallback(
    (patch: Record<string, string | null>, step?: object) => {
      const next = (before: Record<string, unknown>) =>
        Object.fromEntries(Object.entries({ ...before, ...patch }).filter(([, value]) => value));
      // The router types each page's search, but doesn't know which page this is.
      void navigate({
        to: '.',
        search: next as never,
        replace: step === undefined,
        state: (step ?? true) as never,
        resetScroll: step === undefined,
      });
    },
    [navigate],
  );
  return [search, change];
}

/** The value if it is one of these, else the first: an address can contain anything. */
export const oneOf = <T extends string>(value: string | null | undefined, values: readonly [T, ...T[]]): T =>
  values.find((one) => one === value) ?? values[0];
