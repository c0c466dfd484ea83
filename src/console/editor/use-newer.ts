import { useCallback, useEffect, useRef } from 'react';

const PATIENCE_MS = 5_000;

interface Shown<T> {
  version: number;
  stored: T;
}

/** Returns a function that waits for a version other than `before`; null if none arrives in time. */
export function useNewer<T>({ version, stored }: Shown<T>): (before: number) => Promise<Shown<T> | null> {
  const shown = useRef({ version, stored });
  const waiting = useRef(new Set<() => void>());
  useEffect(() => {
    shown.current = { version, stored };
    for (const look of waiting.current) look();
  });
  return useCallback(
    (before) =>
      new Promise((resolve) => {
        const end = (newer: Shown<T> | null): void => {
          clearTimeout(patience);
          waiting.current.delete(look);
          resolve(newer);
        };
        const look = (): void => {
          if (shown.current.version !== before) end(shown.current);
        };
        const patience = setTimeout(end, PATIENCE_MS, null);
        waiting.current.add(look);
        look();
      }),
    [],
  );
}
