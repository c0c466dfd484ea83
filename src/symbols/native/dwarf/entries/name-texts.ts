import { PairNumbers } from '../../../table/pair-numbers.js';
import { signed } from '../../../table/signed-name.js';
import type { StringPool } from '../../../table/string-pool.js';
import { textAt } from '../../text-at.js';
import type { WorkBudget } from '../../work-budget.js';

const LONGEST_PREFIX = 16384;
const UNDERSCORE = 0x5f;
const CAPITAL_Z = 0x5a;

/**
 * Maps names given by position to string numbers. Compilers store equal names once, so a name already seen with the
 * same prefix need not be read.
 */
export class NameTexts {
  private readonly numbers = new Map<Uint8Array, PairNumbers>();
  private readonly signedNumbers = new Map<Uint8Array, PairNumbers>();
  private readonly prefixNumbers = new Map<string, number>([['', 0]]);
  private readonly prefixes: string[] = [''];

  constructor(
    private readonly strings: StringPool,
    private readonly budget: WorkBudget,
  ) {}

  /** The number of a prefix text; one that is too long is left out. */
  prefix(text: string): number {
    this.budget.spend(text.length);
    const known = this.prefixNumbers.get(text);
    if (known !== undefined) return known;
    if (text.length > LONGEST_PREFIX) return 0;
    this.prefixes.push(text);
    this.prefixNumbers.set(text, this.prefixes.length - 1);
    return this.prefixes.length - 1;
  }

  prefixText(prefix: number): string {
    return this.prefixes[prefix] ?? '';
  }

  /** The string number of the name at a position, with its prefix. Objective-C methods get no prefix. */
  number(text: Uint8Array, at: number, prefix: number): number {
    const known = placesIn(this.numbers, text);
    let number = known.get(at, prefix);
    if (number < 0) {
      const name = textAt(text, at);
      const isMethod = name.charCodeAt(1) === 0x5b && (name[0] === '-' || name[0] === '+');
      const full = prefix === 0 || isMethod ? name : this.prefixText(prefix) + name;
      this.budget.spend(full.length);
      number = this.strings.add(full);
      known.add(at, prefix, number);
    }
    return number;
  }

  /** The string number of a name together with the C++ symbol that tells overloads apart, if there is one. */
  withSymbol(number: number, symbol: Uint8Array, at: number): number {
    if (symbol[at] !== UNDERSCORE || symbol[at + 1] !== CAPITAL_Z) return number;
    const known = placesIn(this.signedNumbers, symbol);
    let full = known.get(at, number);
    if (full < 0) {
      const text = signed(this.strings.all[number] as string, textAt(symbol, at));
      this.budget.spend(text.length);
      full = this.strings.add(text);
      known.add(at, number, full);
    }
    return full;
  }
}

function placesIn(numbers: Map<Uint8Array, PairNumbers>, text: Uint8Array): PairNumbers {
  const known = numbers.get(text) ?? new PairNumbers();
  numbers.set(text, known);
  return known;
}
