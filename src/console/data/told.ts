import { useSyncExternalStore } from 'react';

/** A value outside React, and those who want to know when it is another one. */
export interface Told<T> {
  get(): T;
  set(next: T): void;
  /** The value, for as long as the part of the page is there. */
  use(): T;
  /** What is made of the value: the part is drawn anew only where that is something else. */
  useMade<Made>(make: (value: T) => Made): Made;
}

/** Makes one with its first value. */
export function told<T>(first: T): Told<T> {
  let value = first;
  const listeners = new Set<() => void>();
  const get = () => value;
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(next) {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(listen, get),
    useMade: (make) => useSyncExternalStore(listen, () => make(value)),
  };
}
