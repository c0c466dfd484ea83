/** A field that someone changed since editing began, as text. */
export interface FieldMerge<Name extends string> {
  name: Name;
  base: string;
  mine: string;
  theirs: string;
  changedBy: 'me' | 'them' | 'both';
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** Three versions of the same fields, side by side. Omits fields that nobody changed or both changed the same way. */
export function mergeOf<Name extends string>(
  base: Readonly<Record<Name, unknown>>,
  mine: Readonly<Record<Name, unknown>>,
  theirs: Readonly<Record<Name, unknown>>,
): FieldMerge<Name>[] {
  return (Object.keys(mine) as Name[]).flatMap((name) => {
    const texts = { base: textOf(base[name]), mine: textOf(mine[name]), theirs: textOf(theirs[name]) };
    if (texts.mine === texts.theirs) return [];
    const changedBy = texts.theirs === texts.base ? 'me' : texts.mine === texts.base ? 'them' : 'both';
    return [{ name, ...texts, changedBy }];
  });
}
