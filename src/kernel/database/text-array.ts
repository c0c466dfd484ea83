import { Type } from '@mikro-orm/postgresql';

/** A list in PostgreSQL's `text[]` syntax; the ORM would expand a list into several parameters. */
export function textArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/**
 * The type of a `text[]` property. The ORM's own type stores the text `null` as NULL and loses spaces and line breaks.
 */
export class TextArrayType extends Type<string[] | null, string | null> {
  override convertToDatabaseValue(values: string[] | null): string | null {
    return values && textArray(values);
  }

  override convertToJSValue(values: string[] | string | null): string[] | null {
    return values as string[] | null;
  }

  override compareAsType(): string {
    return 'string[]';
  }
}
