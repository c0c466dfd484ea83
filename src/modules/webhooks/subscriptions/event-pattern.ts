const PATTERN = /^(\*|[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?\.\*|[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*)$/;

/** The patterns a kind answers to, widest first: `*`, `config.*`, `config.item.*`, `config.item.rolled_back`. */
export function patternsOf(kind: string): string[] {
  const [module = '', entity = ''] = kind.split('.');
  return ['*', `${module}.*`, `${module}.${entity}.*`, kind];
}

export function takes(patterns: readonly string[], kind: string): boolean {
  return patternsOf(kind).some((pattern) => patterns.includes(pattern));
}

/**
 * The patterns that are unknown: badly written, or taking no kind of the catalogue. Empty when all are good.
 * @param kinds every kind of the catalogue.
 */
export function unknownPatterns(patterns: readonly string[], kinds: readonly string[]): string[] {
  const known = new Set(kinds.flatMap(patternsOf));
  return patterns.filter((pattern) => !PATTERN.test(pattern) || !known.has(pattern));
}
