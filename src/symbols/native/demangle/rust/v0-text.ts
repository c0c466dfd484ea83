import { decodePunycode } from '../punycode.js';
import { NotDemangled, TextCursor } from '../text-cursor.js';

const DEEPEST = 300;
const MOST_STEPS = 100_000;
const LONGEST = 65_536;

/** What paths need from the readers of types and constants, which need paths. */
export interface V0Readers {
  type(text: V0Text): void;
  constant(text: V0Text): void;
}

/**
 * Position and output while a name of Rust's own mangling is read
 * (https://doc.rust-lang.org/rustc/symbol-mangling/v0.html). Every step is bounded. Positions count from behind `_R`.
 */
export class V0Text extends TextCursor {
  /** Lifetimes that the binders around name. */
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

  /** Reads without writing; back references, which were read before, are not followed then. */
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

  /** Reads `read` up to `E`, with a separator between; returns how often. */
  list(separator: string, read: () => void): number {
    let count = 0;
    for (; !this.accept('E'); count++) {
      if (count > 0) this.print(separator);
      read();
    }
    return count;
  }

  /** `B <base-62-number>`, behind its letter: what was mangled at an earlier position. */
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

  /** `_` is 0, `0_` is 1, `Z_` is 62. Hashes of crates lose low bits, which nobody reads. */
  number62(): number {
    if (this.accept('_')) return 0;
    let value = 0;
    while (!this.accept('_')) {
      value = value * 62 + digit62(this.take());
      if (value >= 2 ** 64) throw new NotDemangled();
    }
    return value + 1;
  }

  /** 0 without the mark, else the number behind it and one. */
  optional62(mark: string): number {
    return this.accept(mark) ? this.number62() + 1 : 0;
  }

  disambiguator(): number {
    return this.optional62('s');
  }

  /** `["u"] <decimal-number> ["_"] <bytes>`; with `u` the bytes are Punycode whose delimiter is `_`. */
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
