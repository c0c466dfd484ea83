import { parsedJson } from './json.js';

/** Strings by key, stored on the device. Never throws: values that cannot be stored stay in memory. */
export interface KeyValueStore {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  /** All keys with this prefix. */
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

/** Reads stored JSON; invalid JSON counts as missing. */
export function readKept<T>(store: KeyValueStore, key: string): T | null {
  return parsedJson(store.get(key) ?? '') as T | null;
}
