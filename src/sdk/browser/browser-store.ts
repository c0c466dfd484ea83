import { attempt } from '../core/attempt.js';
import { type KeyValueStore, memoryStore } from '../core/key-value-store.js';
import { IS_PAGE } from './browser-platform.js';

/** A value that a tab has written. */
export interface Written {
  readonly key: string;
  readonly value: string | null;
  /** Whether other tabs can read it from storage. */
  readonly isOnDevice: boolean;
}

/** A store that other tabs can pass their writes to. */
export interface TabStore extends KeyValueStore {
  /** Replaces what this tab has in memory with what another tab has written. */
  hear(written: Written): void;
  /** Deletes what other project keys left long ago; rejects if the page cannot load the code for it. */
  tidy(prefix: string): Promise<void>;
}

/**
 * The browser's local storage, or memory for the life of the page when storage is blocked or full.
 *
 * @param tell called with everything written, also when it is only in memory
 */
export function browserStore(tell: (written: Written) => void): TabStore {
  const memory = memoryStore();
  // Access throws when the user or a frame's sandbox forbids it, and so does using storage that does not exist.
  const storage = attempt(() => (IS_PAGE ? globalThis.localStorage : null), null) as Storage;
  const store: TabStore = {
    get: (key) => memory.get(key) ?? attempt(() => storage.getItem(key), null),
    set: (key, value) => {
      memory.remove(key);
      const isOnDevice = attempt(() => {
        storage.setItem(key, value);
        return true;
      }, false);
      if (!isOnDevice) {
        // Otherwise an older value would come back at the next start.
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
    tidy: async (prefix) => {
      if (store.keys('quarterdeck:').some((key) => !key.startsWith(prefix)))
        (await import('./former-keys.js')).forgetFormerKeys(store, prefix, Date.now());
    },
  };
  return store;
}
