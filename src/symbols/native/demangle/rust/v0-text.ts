import { decodePunycode } from '../punycode.js';
import { NotDemangled, TextCursor } from '../text-cursor.js';

const DEEPEST = 300;
const MOST_STEPS = 100_000;
const LONGEST = 65_536;

/** The readers of types and constants that paths need, and which need paths themselves. */
export interface V0Readers {
  type(text: V0Text): void;
  constant(text: V0Text): void;
}

/**
 * Parser position and output for a Rust v0 name
 * (https://doc.rust-lang.org/rustc/symbol-mangling/v0.html). Every step is bounded. Positions count from after `_R`.
 */
export class V0Text extends TextCursor {
  /** Lifetimes named by the enclosing binders. */
  boundLifetimes = 0;
  private out = '';
  private silent = false;
  private depth = 0;
  private steps = 0;

  constructor(
    text: string,
    readonly readers: V0Readers,
  ) {
    super(text);
  }

  get written(): string {
    return this.out;
  }

  print(part: string): void {
    if (this.silent) return;
    this.out += part;
    if (this.out.length > LONGEST) throw new NotDemangled();
  }

  /** Reads without writing; back references were read before and are not followed. */
  silently(read: () => void): void {
    const outer = this.silent;
    this.silent = true;
    read();
    this.silent = outer;
  }

  nested(read: () => void): void {
    if (++this.depth > DEEPEST || ++this.steps > MOST_STEPS) throw new NotDemangled();
    read();
    this.depth--;
  }

  /** Repeats `read` up to `E` with a separator between; returns the count. */
  list(separator: string, read: () => void): number {
    let count = 0;
    for (; !this.accept('E'); count++) {
      if (count > 0) this.print(separator);
      read();
    }
    return count;
  }

  /** `B <base-62-number>`, after its letter: a reference to an earlier position. */
  backReference(read: () => void): void {
    const from = this.pos - 1;
    const target = this.number62();
    if (target >= from) throw new NotDemangled();
    if (this.silent) return;
    const behind = this.pos;
    this.pos = target;
    this.nested(read);
    this.pos = behind;
  }

  /** `_` is 0, `0_` is 1, `Z_` is 62. Crate hashes lose low bits, which are not used. */
  number62(): number {
    if (this.accept('_')) return 0;
    let value = 0;
    while (!this.accept('_')) {
      value = value * 62 + digit62(this.take());
      if (value >= 2 ** 64) throw new NotDemangled();
    }
    return value + 1;
  }

  /** 0 without the mark, else the number after it plus one. */
  optional62(mark: string): number {
    return this.accept(mark) ? this.number62() + 1 : 0;
  }

  disambiguator(): number {
    return this.optional62('s');
  }

  /** `["u"] <decimal-number> ["_"] <bytes>`; with `u` the bytes are Punycode with the delimiter `_`. */
  identifier(): string {
    const isPunycode = this.accept('u');
    const digits = /^(?:0|[1-9][0-9]{0,5})/.exec(this.text.slice(this.pos, this.pos + 6))?.[0];
    if (digits === undefined) throw new NotDemangled();
    this.pos += digits.length;
    this.accept('_');
    const bytes = this.takeMany(Number(digits));
    return isPunycode ? decodePunycode(bytes) : bytes;
  }

  /** The digits of a constant, up to their `_`. */
  hexDigits(): string {
    const end = this.text.indexOf('_', this.pos);
    const digits = this.text.slice(this.pos, end);
    if (end < 0 || !/^[0-9a-f]*$/.test(digits)) throw new NotDemangled();
    this.pos = end + 1;
    return digits;
  }
}

function digit62(character: string): number {
  if (/[0-9]/.test(character)) return Number(character);
  if (/[a-z]/.test(character)) return character.charCodeAt(0) - 0x61 + 10;
  if (/[A-Z]/.test(character)) return character.charCodeAt(0) - 0x41 + 36;
  throw new NotDemangled();
}
