import { attempt } from './attempt.js';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** An object that a caller passes, interfaces and dates included; what becomes of members that JSON lacks is in docs/sdk.md. */
export type Data = object;

/** Widens a literal type: a fallback of `false` stands for any boolean. */
export type Widened<T> = T extends boolean ? boolean : T extends number ? number : T extends string ? string : T;

export const shapeOf = (value: unknown): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;

/** The value if it has the fallback's type, else the fallback; a null fallback accepts anything. */
export function typed<T>(value: unknown, fallback: T): Widened<T> {
  const fits = value !== undefined && (fallback === null || shapeOf(value) === shapeOf(fallback));
  return (fits ? value : fallback) as Widened<T>;
}

/** Parses JSON; null when it is invalid. */
export const parsedJson = (text: string): unknown => attempt(() => JSON.parse(text), null);
