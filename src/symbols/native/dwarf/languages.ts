const DOT = new Set([0x09, 0x0a, 0x0b, 0x13, 0x16, 0x17, 0x1b, 0x1e, 0x26, 0x27, 0x32]);
const NONE = new Set([0x01, 0x02, 0x03, 0x0c, 0x0d, 0x10, 0x1d, 0x2c, 0x2e, 0x2f, 0x31, 0x3e, 0x8001]);

/**
 * The separator between a function's name and its enclosing scopes, by DW_AT_language (DWARF 5, section 7.12, and
 * dwarfstd.org's later numbers): a dot in Pascal, Modula, Java, D, Go, OCaml, Swift, Kotlin, Zig and C#; none, so only
 * the plain name, in C, Objective-C, assembler, and Ada, whose compiler writes the scopes into the name; a double colon
 * elsewhere.
 */
export function separatorOf(language: number): string {
  if (NONE.has(language)) return '';
  return DOT.has(language) ? '.' : '::';
}
