/** Replaces what PostgreSQL text cannot store, U+0000 and lone surrogates, with U+FFFD. */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\u0000') ? wellFormed.replaceAll('\u0000', '\uFFFD') : wellFormed;
}

/**
 * Maximum UTF-8 bytes of a text that is indexed together with another one: a B-tree entry holds 2,704 bytes for all
 * columns (PostgreSQL's nbtree.h, BTMaxItemSize), and rows beyond that are rejected.
 */
export const LONGEST_KEY_BYTES = 1_000;

/** The longest prefix of a text that the database can index. */
export function keyText(text: string): string {
  if (text.length * 3 <= LONGEST_KEY_BYTES) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= LONGEST_KEY_BYTES) return text;
  // In stream mode the decoder drops a character that is cut in two.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, LONGEST_KEY_BYTES), { stream: true });
}

/** The first `most` characters of a text, counted in code points, as PostgreSQL counts them. */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (let counted = 0; counted < most && end < text.length; counted += 1)
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** Whether a text has more than `most` characters, counted in code points. */
export const isLongerThan = (text: string, most: number): boolean => firstCharacters(text, most).length < text.length;

/** The first `most` characters of a text, with … behind them where there are more; no character is cut in two. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most);
  return `${beginning.isWellFormed() ? beginning : beginning.slice(0, -1)}…`;
}

/** Whether a text can name a stored object: one with U+0000 or a lone surrogate names none. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/**
 * Applies {@link storableText} to every string and key of a JSON value. Own keys such as `__proto__` stay data: objects
 * are copied without a prototype.
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
