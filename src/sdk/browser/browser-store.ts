import { attempt } from '../core/attempt.js';
import { type KeyValueStore, memoryStore } from '../core/key-value-store.js';
import { IS_PAGE } from './browser-platform.js';

/** What a tab has written. */
export interface Written {
  readonly key: string;
  readonly value: string | null;
  /** Whether it is where other tabs can read it. */
  readonly isOnDevice: boolean;
}

/** A store that other tabs can tell of what they keep. */
export interface TabStore extends KeyValueStore {
  /** Takes what another tab has written in place of what this one remembers by itself. */
  hear(written: Written): void;
}

/**
 * The browser's local storage; what it forbids or has no room for is kept in memory for the life of the page.
 *
 * @param tell is called with all that is written, also where it is only in memory
 */
export function browserStore(tell: (written: Written) => void): TabStore {
  const memory = memoryStore();
  // Asking for it throws where the person or a frame's sandbox forbids it, and so does to use what is not there.
  const storage = attempt(() => (IS_PAGE ? globalThis.localStorage : null), null) as Storage;
  return {
    get: (key) => memory.get(key) ?? attempt(() => storage.getItem(key), null),
    set: (key, value) => {
      memory.remove(key);
      const isOnDevice = attempt(() => {
        storage.setItem(key, value);
        return true;
      }, false);
      if (!isOnDevice) {
        // An older value would come back at the next start.
        attempt(() => storage.removeItem(key));
        memory.set(key, value);
      }
      tell({ key, value, isOnDevice });
    },
    remove: (key) => {
      memory.remove(key);
      attempt(() => storage.removeItem(key));
    },
    keys: (prefix) => [
      ...attempt(() => Object.keys(storage).filter((key) => key.startsWith(prefix)), []),
      ...memory.keys(prefix),
    ],
    hear: ({ key, value, isOnDevice }) => {
      if (isOnDevice) memory.remove(key);
      else if (value !== null) memory.set(key, value);
    },
  };
}
