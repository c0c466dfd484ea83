const DOT = new Set([0x0b, 0x16, 0x1e, 0x26, 0x28]);
const NONE = new Set([0x01, 0x02, 0x0c, 0x10, 0x1d, 0x2c, 0x8001]);

/**
 * The separator between a function's name and its enclosing scopes, by DW_AT_language: a dot in Java, Go, Swift, Kotlin
 * and C#; none, so only the plain name, in C, Objective-C and assembler; a double colon elsewhere.
 */
export function separatorOf(language: number): string {
  if (NONE.has(language)) return '';
  return DOT.has(language) ? '.' : '::';
}
