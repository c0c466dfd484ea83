import { PairNumbers } from '../table/pair-numbers.js';
import { signed, unsigned } from '../table/signed-name.js';
import type { StringPool } from '../table/string-pool.js';
import { demangleSymbol } from './demangle/demangle-symbol.js';
import type { SymbolTable } from './symbol-table.js';

export const UNNAMED = 0;

/**
 * Assigns numbers to functions before their names are known: a debug entry may be named by a later one in the file.
 */
export class FunctionPool {
  private readonly entryNumbers = new PairNumbers();
  private readonly symbolNumbers = new PairNumbers();
  /** Per function: the offset of its entry, or −1 − the index of its symbol. */
  private readonly sources: number[] = [0];
  private readonly addresses: number[] = [0];

  /** `address`: a file address in the function, used to find its symbol if its entry has no name. */
  ofEntry(offset: number, address: number): number {
    const known = this.entryNumbers.get(offset, 0);
    if (known >= 0) return known;
    const number = this.add(offset, address);
    this.entryNumbers.add(offset, 0, number);
    return number;
  }

  ofSymbol(index: number): number {
    const known = this.symbolNumbers.get(index, 0);
    if (known >= 0) return known;
    const number = this.add(-1 - index, 0);
    this.symbolNumbers.add(index, 0, number);
    return number;
  }

  /** The string number of each function's name. `entryName` returns an entry's, 0 for none. */
  name(strings: StringPool, symbols: SymbolTable, entryName: (offset: number) => number): Uint32Array {
    const names = new Uint32Array(this.sources.length);
    for (let number = 1; number < names.length; number++) {
      const source = this.sources[number] as number;
      const name = source >= 0 ? entryName(source) : 0;
      const { name: text, symbol: own } = unsigned(strings.all[name] as string);
      names[number] = name;
      if (name !== 0 && text.includes('::')) continue;
      if (own !== null) {
        if (own.startsWith('_ZN')) names[number] = strings.add(signed(withSymbol(text, own), own));
        continue;
      }
      const symbol = source < 0 ? symbols.at(-1 - source) : symbols.find(this.addresses[number] as number);
      if (symbol && (name === 0 || symbols.isMangled(symbol))) {
        const mangled = symbols.name(symbol);
        const full = withSymbol(text, mangled);
        names[number] = strings.add(name === 0 ? full : signed(full, mangled));
      }
    }
    return names;
  }

  private add(source: number, address: number): number {
    this.sources.push(source);
    this.addresses.push(address);
    return this.sources.length - 1;
  }
}

/** Takes a missing name from the symbol, and completes the bare names that line-only debug information has. */
function withSymbol(name: string, symbol: string): string {
  if (name === '') return demangleSymbol(symbol);
  const plain = demangleSymbol(symbol);
  const at = plain.indexOf(`::${name}(`);
  if (at < 0) return name;
  const qualified = plain.slice(0, at + 2 + name.length);
  return qualified.slice(resultEnd(qualified));
}

/** Where the name starts in "result name": after the last space outside angle brackets and parentheses. */
function resultEnd(text: string): number {
  let depth = 0;
  let end = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '<' || character === '(') depth++;
    else if (character === '>' || character === ')') depth--;
    else if (character === ' ' && depth === 0) end = index + 1;
  }
  return end;
}
