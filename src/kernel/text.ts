/** Replaces what PostgreSQL text cannot hold, U+0000 and lone surrogates, by U+FFFD. */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\u0000') ? wellFormed.replaceAll('\u0000', '\uFFFD') : wellFormed;
}

/**
 * Most bytes in UTF-8 of a text that the database looks up beside another one: an entry of a B-tree takes 2,704 bytes, all columns together
 * (PostgreSQL's nbtree.h, BTMaxItemSize), and refuses the row where it does not fit.
 */
export const LONGEST_KEY_BYTES = 1_000;

/** The longest beginning of a text that the database can look up. */
export function keyText(text: string): string {
  if (text.length * 3 <= LONGEST_KEY_BYTES) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= LONGEST_KEY_BYTES) return text;
  // As a stream, the decoder leaves out a character that is cut in two.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, LONGEST_KEY_BYTES), { stream: true });
}

/** The first `most` characters of a text, with … behind them where there are more; no character is cut in two. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most);
  return `${beginning.isWellFormed() ? beginning : beginning.slice(0, -1)}…`;
}

/** Whether a text can name a stored object: one with U+0000 or a lone surrogate names none. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/**
 * Applies {@link storableText} to every string and key of a JSON value. Own keys such as `__proto__` stay data:
 * objects come back without a prototype. A value that needs no change is returned as it is.
 */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return value.toISOString();
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) copy[storableText(key)] = storableJson(inner);
  return copy;
}
