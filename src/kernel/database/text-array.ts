import { Type } from '@mikro-orm/postgresql';

/** A list as PostgreSQL writes a `text[]`; the ORM would spread a list parameter over several. */
export function textArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** The type of a `text[]` property. The ORM's own stores the text `null` as NULL, and loses blanks and line breaks. */
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
