/** Quotes a text for PostgreSQL (manual, String Constants), whatever the setting of `standard_conforming_strings`. */
export function sqlLiteral(text: string): string {
  const quoted = text.replaceAll("'", "''");
  return quoted.includes('\\') ? ` E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}
