/**
 * What in a parsed JSON value readers take for something else, in words that follow "it has"; null for nothing. A number beyond those of
 * IEEE 754 is read as infinite or not at all, half of a surrogate pair is read as another character or not at all.
 */
export function misreadIn(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'a number beyond 1.797e308';
  if (typeof value === 'string') return value.isWellFormed() ? null : 'half of a surrogate pair (\\ud800 to \\udfff)';
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = misreadIn(key) ?? misreadIn(inner);
    if (found !== null) return found;
  }
  return null;
}
