import { parsedJson } from './json.js';

/** Texts by key that are kept on the device. Nothing of it throws: what cannot be kept is kept in memory. */
export interface KeyValueStore {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  /** All keys that begin so. */
  keys(prefix: string): string[];
}

/** A store that ends with the page. */
export function memoryStore(): KeyValueStore {
  const texts = new Map<string, string>();
  return {
    get: (key) => texts.get(key) ?? null,
    set: (key, value) => void texts.set(key, value),
    remove: (key) => void texts.delete(key),
    keys: (prefix) => [...texts.keys()].filter((key) => key.startsWith(prefix)),
  };
}

/** Reads JSON that was kept; what does not parse was not kept. */
export function readKept<T>(store: KeyValueStore, key: string): T | null {
  return parsedJson(store.get(key) ?? '') as T | null;
}
