import { type KeyValueStore, memoryStore } from '../core/key-value-store.js';
import { IS_PAGE } from './browser-platform.js';

/** The browser's local storage; what it forbids or has no room for is kept in memory for the life of the page. */
export function browserStore(): KeyValueStore {
  const memory = memoryStore();
  // Asking for it throws where the person or a frame's sandbox forbids it.
  const storage = onDevice(() => (IS_PAGE ? globalThis.localStorage : null), null);
  if (!storage) return memory;
  return {
    get: (key) => memory.get(key) ?? onDevice(() => storage.getItem(key), null),
    set: (key, value) => {
      memory.remove(key);
      const isKept = onDevice(() => {
        storage.setItem(key, value);
        return true;
      }, false);
      if (isKept) return;
      // An older value would come back at the next start.
      onDevice(() => storage.removeItem(key), undefined);
      memory.set(key, value);
    },
    remove: (key) => {
      memory.remove(key);
      onDevice(() => storage.removeItem(key), undefined);
    },
    keys: (prefix) => [
      ...onDevice(() => Object.keys(storage).filter((key) => key.startsWith(prefix)), []),
      ...memory.keys(prefix),
    ],
  };
}

function onDevice<T>(task: () => T, otherwise: T): T {
  try {
    return task();
  } catch {
    return otherwise;
  }
}
