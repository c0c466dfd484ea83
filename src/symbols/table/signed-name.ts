const MARK = '\0';

/** A function's name as stored in tables, followed by the C++ symbol that its parameter list is read from, if any. */
export const signed = (name: string, symbol: string): string => name + MARK + symbol;

/** A name, and the C++ symbol or null. */
export interface UnsignedName {
  readonly name: string;
  readonly symbol: string | null;
}

export function unsigned(text: string): UnsignedName {
  const mark = text.indexOf(MARK);
  return mark < 0 ? { name: text, symbol: null } : { name: text.slice(0, mark), symbol: text.slice(mark + 1) };
}
