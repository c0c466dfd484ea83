/** A text as PostgreSQL's lexer reads it back (PostgreSQL, String Constants), whatever `standard_conforming_strings` says. */
export function sqlLiteral(text: string): string {
  const quoted = text.replaceAll("'", "''");
  return quoted.includes('\\') ? ` E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}
