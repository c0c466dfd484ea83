/** Replaces what PostgreSQL text cannot hold, U+0000 and lone surrogates, by U+FFFD. */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\u0000') ? wellFormed.replaceAll('\u0000', '\uFFFD') : wellFormed;
}

/** Whether a text can name a stored object: one with U+0000 or a lone surrogate names none. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

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
