const PATTERN = /^(\*|[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?\.\*|[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*)$/;

/** The patterns that match a kind, widest first: `*`, `config.*`, `config.item.*`, `config.item.rolled_back`. */
export function patternsOf(kind: string): string[] {
  const [module = '', entity = ''] = kind.split('.');
  return ['*', `${module}.*`, `${module}.${entity}.*`, kind];
}

export function matchesPattern(patterns: readonly string[], kind: string): boolean {
  return patternsOf(kind).some((pattern) => patterns.includes(pattern));
}

/** The invalid patterns: malformed, or matching no kind of the catalog. Empty if all are valid. */
export function unknownPatterns(patterns: readonly string[], kinds: readonly string[]): string[] {
  const known = new Set(kinds.flatMap(patternsOf));
  return patterns.filter((pattern) => !PATTERN.test(pattern) || !known.has(pattern));
}
