import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * What a page keeps in its address: filters, order, the open tab. An empty value takes its name out of it. A change with `step`, which the
 * history keeps, is undone by the browser's way back; others take the place of the address before.
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
      // The router knows what each page keeps in its address, and not which page this is.
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

/** The value if it is one of these, else the first: an address may say anything. */
export const oneOf = <T extends string>(value: string | null | undefined, values: readonly [T, ...T[]]): T =>
  values.find((one) => one === value) ?? values[0];
