import { NotDemangled, TextCursor } from './text-cursor.js';

const DEEPEST = 256;
const LONGEST = 32768;

/** A type written around a declarator: `left` before it, `right` after it. */
export interface TypeText {
  readonly left: string;
  readonly right: string;
  /** `function` and `array` types put pointers to them into parentheses. */
  readonly shape: 'plain' | 'function' | 'array';
  /** The types of a parameter pack. */
  readonly pack?: readonly TypeText[];
}

export const plain = (text: string): TypeText => ({ left: text, right: '', shape: 'plain' });

/** A type written without a declarator. */
export function written(type: TypeText): string {
  if (type.pack) {
    const parts = type.pack.map(written);
    return parts.filter((part) => part !== '').join(', ');
  }
  return type.left.trimEnd() === type.left || type.right !== '' ? type.left + type.right : type.left.trimEnd();
}

/** Parser state for an Itanium C++ ABI name: position, substitutions and template arguments. Every step is bounded. */
export class MangledText extends TextCursor {
  /** Candidates for S_, S0_, …: texts of prefixes and types. */
  readonly substitutions: TypeText[] = [];
  /** Arguments that T_, T0_, … stand for. */
  templateArguments: readonly TypeText[] = [];
  /** The pack element an expanded pattern is being read for; −1 outside an expansion. */
  packIndex = -1;
  packLength = -1;
  /** In the parameters of a generic lambda, whose own template parameters are written `auto`. */
  isInLambda = false;
  /** In a conversion's type, whose template arguments follow it. */
  isInConversion = false;
  private depth = 0;
  private produced = 0;

  number(): number {
    let digits = '';
    while (/[0-9]/.test(this.peek())) digits += this.take();
    if (digits === '' || digits.length > 9) throw new NotDemangled();
    return Number(digits);
  }

  /** `_` is 0, `0_` is 1, `A_` is 11: the sequence ids of substitutions (base 36). */
  sequence(): number {
    if (this.accept('_')) return 0;
    let id = '';
    while (/[0-9A-Z]/.test(this.peek())) id += this.take();
    this.expect('_');
    if (id === '' || id.length > 4) throw new NotDemangled();
    return Number.parseInt(id, 36) + 1;
  }

  /** The text of a source name: its length, then its characters. */
  sourceName(): string {
    const length = this.number();
    if (length === 0) throw new NotDemangled();
    const name = this.takeMany(length);
    return name.startsWith('_GLOBAL__N') ? '(anonymous namespace)' : name;
  }

  remember(type: TypeText): TypeText {
    this.produced += type.left.length + type.right.length;
    if (type.left.length > LONGEST || this.produced > LONGEST * 32) throw new NotDemangled();
    this.substitutions.push(type);
    return type;
  }

  nested<T>(read: () => T): T {
    if (++this.depth > DEEPEST) throw new NotDemangled();
    const result = read();
    this.depth--;
    return result;
  }
}
