/** A list as PostgreSQL writes a `text[]`; the ORM would spread a list parameter over several. */
export function textArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
