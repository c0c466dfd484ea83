const MARK = '\0';

/** A function's name as tables store it: behind it, if anything, the C++ symbol that its parameter list is read from. */
export function signed(name: string, symbol: string): string {
  return name + MARK + symbol;
}

/** The name, and the symbol or null. */
export function unsigned(text: string): { readonly name: string; readonly symbol: string | null } {
  const mark = text.indexOf(MARK);
  return mark < 0 ? { name: text, symbol: null } : { name: text.slice(0, mark), symbol: text.slice(mark + 1) };
}
