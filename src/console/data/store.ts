import { useSyncExternalStore } from 'react';

/** A value outside React, with its subscribers. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  /** The value, for as long as the component is mounted. */
  use(): T;
  /** A value derived from it: the component re-renders only when that changes. */
  useSelected<Made>(make: (value: T) => Made): Made;
}

export function createStore<T>(first: T): Store<T> {
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
    useSelected: (make) => useSyncExternalStore(listen, () => make(value)),
  };
}
