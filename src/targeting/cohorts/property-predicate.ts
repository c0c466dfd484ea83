import type { Facts } from '../subject.js';

/** A cohort's condition on a person's stored properties: a property, all of several, or any of several. */
export type PropertyPredicate =
  | { readonly key: string; readonly value: string }
  | { readonly all: readonly PropertyPredicate[] }
  | { readonly any: readonly PropertyPredicate[] };

/**
 * Whether the stored properties satisfy the predicate. Numbers and booleans equal their text; values from a request do
 * not count.
 */
export function satisfies(predicate: PropertyPredicate, stored: Pick<Facts, 'get'>): boolean {
  if ('all' in predicate) return predicate.all.every((part) => satisfies(part, stored));
  if ('any' in predicate) return predicate.any.some((part) => satisfies(part, stored));
  const actual = stored.get(predicate.key);
  if (typeof actual === 'string') return actual === predicate.value;
  return (typeof actual === 'number' || typeof actual === 'boolean') && String(actual) === predicate.value;
}

export function keysOf(predicate: PropertyPredicate): string[] {
  if ('all' in predicate) return predicate.all.flatMap(keysOf);
  if ('any' in predicate) return predicate.any.flatMap(keysOf);
  return [predicate.key];
}
