import { attempt } from './attempt.js';
import { type Json, shapeOf } from './json.js';
import { DEEPEST, MOST_TEXT } from './limits.js';

/**
 * Copies a caller's value as JSON: bigints and symbols become strings, and anything unreadable, circular, too deep or
 * too large becomes null. Never throws, and later changes to the original have no effect.
 */
export function plainJson(given: unknown, room = MOST_TEXT): Json {
  let left = room;
  const copy = (read: () => unknown, around: readonly unknown[]): Json | undefined => {
    left -= 8;
    try {
      const value = read();
      if (/string|bigint|symbol/.test(typeof value)) {
        const text = String(value);
        left -= text.length;
        return left < 0 ? text.slice(0, left) : text;
      }
      // JSON.stringify itself leaves out functions and the like.
      if (typeof value !== 'object' || value === null)
        return typeof value === 'number' && !Number.isFinite(value) ? null : (value as Json);
      if (left < 0 || around.length === DEEPEST || around.includes(value)) return null;
      const inside = [...around, value];
      const { toJSON } = value as { toJSON?: unknown };
      if (typeof toJSON === 'function') return copy(() => toJSON.call(value), inside);
      if (Array.isArray(value)) {
        const list: Json[] = [];
        while (list.length < value.length && left > 0) list.push(copy(() => value[list.length], inside) ?? null);
        return list;
      }
      const members: [string, Json][] = [];
      for (const key of Object.keys(value)) {
        left -= key.length;
        if (left < 0) break;
        const member = copy(() => (value as Record<string, unknown>)[key], inside);
        if (member !== undefined) members.push([key, member]);
      }
      return Object.fromEntries(members);
    } catch {
      return null;
    }
  };
  return copy(() => given, []) ?? null;
}

export const jsonText = (given: unknown): string => JSON.stringify(plainJson(given));

/** The members of a caller's object; throws for anything else. */
export function plainMembers(given: unknown): Readonly<Record<string, Json>> {
  const json = plainJson(given ?? {});
  if (shapeOf(json) !== 'object') throw new TypeError('not an object');
  return json as Readonly<Record<string, Json>>;
}

/** Describes a thrown value, or any other. */
export const inWords = (value: unknown): string =>
  attempt(
    () => {
      if (value instanceof Error) return String(value.message);
      return typeof value === 'object' ? jsonText(value) : String(value);
    },
    typeof value,
  );
