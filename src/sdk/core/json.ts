import { attempt } from './attempt.js';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A value's own type without its literal: what a fallback of `false` stands for is any boolean. */
export type Widened<T> = T extends boolean ? boolean : T extends number ? number : T extends string ? string : T;

/** The type of a value as JSON tells them apart. */
export const shapeOf = (value: unknown): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;

/** The value when it is of the fallback's type, else the fallback; a fallback of null takes anything. */
export function typed<T>(value: unknown, fallback: T): Widened<T> {
  const fits = value !== undefined && (fallback === null || shapeOf(value) === shapeOf(fallback));
  return (fits ? value : fallback) as Widened<T>;
}

/** What a text of JSON says; null when it is not JSON. */
export const parsedJson = (text: string): unknown => attempt(() => JSON.parse(text), null);
