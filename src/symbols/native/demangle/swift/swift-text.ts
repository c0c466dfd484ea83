import { decodePunycode } from '../punycode.js';
import { NotDemangled, TextCursor } from '../text-cursor.js';
import type { SwiftNode } from './swift-node.js';

const MOST_WORDS = 26;
const MOST_NODES = 4096;
const LONGEST = 65_536;

/** Parser state for a Swift name (Swift's docs/ABI/Mangling.rst): position, stack, words and substitutions. Bounded. */
export class SwiftText extends TextCursor {
  private readonly stack: SwiftNode[] = [];
  private readonly substitutions: SwiftNode[] = [];
  private readonly words: string[] = [];
  private pushed = 0;
  private produced = 0;

  natural(): number {
    const digits = /^[0-9]{1,6}/.exec(this.text.slice(this.pos, this.pos + 6))?.[0];
    if (digits === undefined) throw new NotDemangled();
    this.pos += digits.length;
    return Number(digits);
  }

  /** `_` is 0, `0_` is 1. */
  index(): number {
    if (this.accept('_')) return 0;
    const number = this.natural();
    this.expect('_');
    return number + 1;
  }

  push(node: SwiftNode): void {
    this.produced += node.text.length;
    if (++this.pushed > MOST_NODES || node.text.length > LONGEST || this.produced > LONGEST * 32)
      throw new NotDemangled();
    this.stack.push(node);
  }

  /** The top node if it has this kind. */
  popIf(kind: SwiftNode['kind']): SwiftNode | null {
    return this.stack.at(-1)?.kind === kind ? (this.stack.pop() as SwiftNode) : null;
  }

  pop(...kinds: SwiftNode['kind'][]): SwiftNode {
    const node = this.stack.at(-1);
    if (node === undefined || !kinds.includes(node.kind)) throw new NotDemangled();
    this.stack.pop();
    return node;
  }

  get depth(): number {
    return this.stack.length;
  }

  remember(node: SwiftNode): SwiftNode {
    this.substitutions.push(node);
    return node;
  }

  /** `A <index>…`: references to earlier nodes by letter, several in a row or repeated. */
  pushSubstitutions(): void {
    let repeat = -1;
    for (;;) {
      const letter = this.take();
      if (/[a-zA-Z]/.test(letter)) {
        const isLast = letter < 'a';
        const node = this.substitution(letter.charCodeAt(0) - (isLast ? 0x41 : 0x61));
        for (let count = Math.max(1, repeat); count > 0; count--) this.push(node);
        if (isLast) return;
        repeat = -1;
      } else if (letter === '_') {
        this.push(this.substitution(repeat + 27));
        return;
      } else {
        this.pos--;
        repeat = this.natural();
        if (repeat > MOST_NODES) throw new NotDemangled();
      }
    }
  }

  private substitution(index: number): SwiftNode {
    const node = this.substitutions[index];
    if (node === undefined) throw new NotDemangled();
    return node;
  }

  /** An identifier; it may refer to words of earlier ones by letter. */
  identifier(): string {
    let hasWords = false;
    let isPunycode = false;
    if (this.accept('0')) {
      isPunycode = this.accept('0');
      hasWords = !isPunycode;
    }
    let identifier = '';
    do {
      while (hasWords && /[a-zA-Z]/.test(this.peek())) {
        const letter = this.take();
        hasWords = letter >= 'a';
        const word = this.words[letter.charCodeAt(0) - (hasWords ? 0x61 : 0x41)];
        if (word === undefined) throw new NotDemangled();
        identifier += word;
      }
      if (this.accept('0')) break;
      const length = this.natural();
      if (isPunycode) this.accept('_');
      if (length === 0) throw new NotDemangled();
      const slice = this.takeMany(length);
      this.noteWords(slice);
      identifier += isPunycode ? decodePunycode(slice) : slice;
    } while (hasWords);
    // Characters not allowed in plain identifiers are encoded as halves of surrogate pairs.
    if (/\p{Cs}/u.test(identifier)) throw new NotDemangled();
    return identifier;
  }

  private noteWords(slice: string): void {
    let start = -1;
    for (let at = 0; at <= slice.length; at++) {
      const character = slice[at] ?? '';
      const before = slice[at - 1] ?? '';
      const isEnd = character === '' || character === '_' || (!/[A-Z]/.test(before) && /[A-Z]/.test(character));
      if (start >= 0 && isEnd) {
        if (at - start >= 2 && this.words.length < MOST_WORDS) this.words.push(slice.slice(start, at));
        start = -1;
      }
      if (start < 0 && character !== '' && !/[0-9_]/.test(character)) start = at;
    }
  }
}
