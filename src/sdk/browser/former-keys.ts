import { type KeyValueStore, readKept } from '../core/key-value-store.js';
import type { KeptSession } from '../core/session.js';

/** A part of the site that uses another key may be visited this rarely. */
const KEPT_MS = 30 * 86_400_000;
const PREFIX = /^quarterdeck:[^:]*:/;

/**
 * Deletes what other project keys have left on the device, such as one before a rotation, once they have not been used
 * for 30 days. What somebody chose about consent stays.
 *
 * @param now milliseconds since 1970
 */
export function forgetFormerKeys(store: KeyValueStore, own: string, now: number): void {
  const keys = store.keys('quarterdeck:');
  for (const prefix of new Set(keys.map((key) => PREFIX.exec(key)?.[0] ?? own))) {
    const { last = 0 } = readKept<Partial<KeptSession>>(store, `${prefix}session`) ?? {};
    // Also true for a session whose time is unreadable.
    if (prefix === own || Math.abs(now - last) <= KEPT_MS) continue;
    for (const key of keys) if (key.startsWith(prefix) && key !== `${prefix}consent`) store.remove(key);
  }
}
