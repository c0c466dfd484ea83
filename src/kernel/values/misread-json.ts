/**
 * What clients would misread in a parsed JSON value, worded to follow "it has"; null if nothing. Numbers beyond a double are read as infinite
 * or rejected, and half of a surrogate pair as another character or rejected.
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
