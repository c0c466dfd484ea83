import { isUtf8 } from 'node:buffer';
import { DEEPEST_JSON } from './json-extent.js';

/** The document is not JSON (RFC 8259), or nests deeper than {@link DEEPEST_JSON}. Shared, without a position. */
export const MALFORMED = new Error('malformed JSON');
/** The window ends inside a value, which can be read again once more bytes are available. */
export const NEED_MORE = new Error('the value is incomplete');

/** The kind of a value, by its first byte. */
export const Shape = { absent: 0, string: 1, object: 2, array: 3, number: 4, literal: 5 } as const;
export type Shape = (typeof Shape)[keyof typeof Shape];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

/** Longer digit runs and three-digit exponents may exceed a double, the only range readers can rely on. */
const PLAIN_NUMBER_BYTES = 300;

/** Which open levels of the skipped value are objects: scratch memory for one synchronous walk. */
const objectAt = new Uint8Array(DEEPEST_JSON + 2);
const NOTHING = Buffer.alloc(0);

const isSpace = (c: number): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isHex = (c: number): boolean => isDigit(c) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);

/**
 * Reads JSON tokens directly from bytes, checking the grammar without building objects. `pos` advances past what was
 * read. Bytes must be valid UTF-8 (the caller checks whole chunks natively). Throws {@link MALFORMED} or {@link
 * NEED_MORE}.
 */
export class JsonBytes {
  buf: Buffer = NOTHING;
  pos = 0;
  end = 0;
  /** Whether the document ends at `end`; otherwise a number that reaches it may continue. */
  isWhole = false;
  /** The last string read: its bytes between the quotes, and whether it contains a backslash. */
  textStart = 0;
  textEnd = 0;
  textEscaped = false;
  /** Set when something was skipped that PostgreSQL cannot store unchanged; cleared by the caller. */
  unstorable = false;

  /** A reader of a document that ends where these bytes end. */
  static over(buf: Buffer): JsonBytes {
    const json = new JsonBytes();
    json.buf = buf;
    json.end = buf.length;
    json.isWhole = true;
    return json;
  }

  /** Skips a byte order mark, which some clients send; readers may ignore it (RFC 8259, section 8.1). */
  skipMark(): void {
    if (this.pos >= this.end) throw NEED_MORE;
    if (this.buf[this.pos] !== BYTE_ORDER_MARK[0]) return;
    if (this.end - this.pos < BYTE_ORDER_MARK.length) throw NEED_MORE;
    if (BYTE_ORDER_MARK.equals(this.buf.subarray(this.pos, this.pos + BYTE_ORDER_MARK.length)))
      this.pos += BYTE_ORDER_MARK.length;
  }

  /** Skips whitespace and peeks at the next byte. */
  peek(): number {
    const { buf, end } = this;
    let p = this.pos;
    for (; p < end; p++) {
      const c = buf[p] as number;
      if (!isSpace(c)) {
        this.pos = p;
        return c;
      }
    }
    this.pos = p;
    throw NEED_MORE;
  }

  /** Skips whitespace; true when nothing follows. */
  skipSpace(): boolean {
    let p = this.pos;
    while (p < this.end && isSpace(this.buf[p] as number)) p++;
    this.pos = p;
    return p === this.end;
  }

  /** Consumes exactly this byte after whitespace. */
  expect(byte: number): void {
    if (this.peek() !== byte) throw MALFORMED;
    this.pos++;
  }

  /** Reads the string whose opening quote is at `pos`, and remembers where its text is. */
  string(): void {
    const from = this.pos + 1;
    this.textEscaped = false;
    const after = this.overString(from);
    this.textStart = from;
    this.textEnd = after - 1;
    this.pos = after;
  }

  /** Whether the last string read equals this ASCII word, escapes resolved. */
  textIs(word: Buffer): boolean {
    const { buf, textStart, textEnd } = this;
    if (this.textEscaped)
      return JSON.parse(buf.toString('utf8', textStart - 1, textEnd + 1)) === word.toString('latin1');
    if (textEnd - textStart !== word.length) return false;
    for (let i = 0; i < word.length; i++) if (buf[textStart + i] !== word[i]) return false;
    return true;
  }

  /** Reads an object key, which must come next. */
  expectKey(): void {
    if (this.peek() !== QUOTE) throw MALFORMED;
    this.string();
  }

  /** After a member or element: true when a comma follows, false when `closer` ends the container. */
  another(closer: number): boolean {
    const c = this.peek();
    if (c !== COMMA && c !== closer) throw MALFORMED;
    this.pos++;
    return c === COMMA;
  }

  /** Skips a value of any shape. `depth` is the number of containers open around it. */
  value(depth: number): Shape {
    const c = this.peek();
    switch (c) {
      case QUOTE:
        this.string();
        return Shape.string;
      case OPEN_BRACE:
        this.container(depth);
        return Shape.object;
      case OPEN_BRACKET:
        this.container(depth);
        return Shape.array;
      default:
        return this.scalar(c);
    }
  }

  private scalar(c: number): Shape {
    this.pos = this.overScalar(c, this.pos);
    return isDigit(c) || c === MINUS ? Shape.number : Shape.literal;
  }

  private overScalar(c: number, at: number): number {
    if (c === MINUS || isDigit(c)) return this.overNumber(at);
    if (c === 0x74) return this.overLiteral(TRUE, at);
    if (c === 0x66) return this.overLiteral(FALSE, at);
    if (c === 0x6e) return this.overLiteral(NULL, at);
    throw MALFORMED;
  }

  private overLiteral(word: Buffer, at: number): number {
    for (let i = 0; i < word.length; i++) {
      if (at + i >= this.end) throw NEED_MORE;
      if (this.buf[at + i] !== word[i]) throw MALFORMED;
    }
    return at + word.length;
  }

  private overString(from: number): number {
    const { buf, end } = this;
    for (let p = from; p < end; ) {
      const c = buf[p] as number;
      if (c === QUOTE) return p + 1;
      if (c < 0x20) throw MALFORMED;
      p = c === BACKSLASH ? this.overEscape(p) : p + 1;
    }
    throw NEED_MORE;
  }

  private overEscape(at: number): number {
    this.textEscaped = true;
    if (at + 1 >= this.end) throw NEED_MORE;
    switch (this.buf[at + 1]) {
      case QUOTE:
      case BACKSLASH:
      case 0x2f:
      case 0x62:
      case 0x66:
      case 0x6e:
      case 0x72:
      case 0x74:
        return at + 2;
      case 0x75:
        return this.overUnicodeEscape(at + 2);
      default:
        throw MALFORMED;
    }
  }

  private overUnicodeEscape(at: number): number {
    const { buf } = this;
    for (let i = at; i < at + 4; i++) {
      if (i >= this.end) throw NEED_MORE;
      if (!isHex(buf[i] as number)) throw MALFORMED;
    }
    const high = buf[at] as number;
    const next = buf[at + 1] as number;
    const surrogate = (high | 0x20) === 0x64 && next >= 0x38;
    const nul = high === 0x30 && next === 0x30 && buf[at + 2] === 0x30 && buf[at + 3] === 0x30;
    if (surrogate || nul) this.unstorable = true;
    return at + 4;
  }

  private overNumber(from: number): number {
    const { buf, end } = this;
    let p = from;
    if (buf[p] === MINUS) p++;
    if (p >= end) throw NEED_MORE;
    const first = p;
    p = this.overDigits(p);
    if (buf[first] === 0x30 && p > first + 1) throw MALFORMED;
    if (p < end && buf[p] === 0x2e) p = this.overDigits(p + 1);
    if (p < end && ((buf[p] as number) | 0x20) === 0x65) {
      p++;
      if (p < end && (buf[p] === 0x2b || buf[p] === MINUS)) p++;
      const exponent = p;
      p = this.overDigits(p);
      if (p - exponent > 2) this.unstorable = true;
    }
    if (p >= end && !this.isWhole) throw NEED_MORE;
    if (p - from > PLAIN_NUMBER_BYTES) this.unstorable = true;
    return p;
  }

  private overDigits(from: number): number {
    const { buf, end } = this;
    let p = from;
    while (p < end && isDigit(buf[p] as number)) p++;
    if (p === from) throw p >= end ? NEED_MORE : MALFORMED;
    return p;
  }

  /** Iterative, so that depth needs no stack; `objectAt` records which open levels are objects. */
  private container(depth: number): void {
    const { buf, end } = this;
    let p = this.pos;
    let level = depth;
    let inObject = false;
    let afterOpening = false;
    let afterValue = false;
    for (;;) {
      let c: number;
      do {
        if (p >= end) throw NEED_MORE;
        c = buf[p] as number;
        p++;
      } while (isSpace(c));

      if (afterValue || afterOpening) {
        if (c === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
          level--;
          if (level === depth) break;
          inObject = objectAt[level] === 1;
          afterOpening = false;
          afterValue = true;
          continue;
        }
        if (afterValue) {
          if (c !== COMMA) throw MALFORMED;
          do {
            if (p >= end) throw NEED_MORE;
            c = buf[p] as number;
            p++;
          } while (isSpace(c));
        }
        if (inObject) {
          if (c !== QUOTE) throw MALFORMED;
          p = this.overString(p);
          do {
            if (p >= end) throw NEED_MORE;
            c = buf[p] as number;
            p++;
          } while (isSpace(c));
          if (c !== COLON) throw MALFORMED;
          do {
            if (p >= end) throw NEED_MORE;
            c = buf[p] as number;
            p++;
          } while (isSpace(c));
        }
        afterOpening = false;
      }

      if (c === QUOTE) {
        p = this.overString(p);
        afterValue = true;
      } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        level++;
        if (level > DEEPEST_JSON) throw MALFORMED;
        inObject = c === OPEN_BRACE;
        objectAt[level] = inObject ? 1 : 0;
        afterOpening = true;
        afterValue = false;
      } else {
        p = this.overScalar(c, p - 1);
        afterValue = true;
      }
    }
    this.pos = p;
  }
}

/** Whether bytes are one JSON value in UTF-8 that nests at most {@link DEEPEST_JSON} deep, without building it. */
export function isJson(bytes: Buffer): boolean {
  const isOneValue = readDocument(bytes, (json) => {
    json.value(0);
    return json.skipSpace();
  });
  return isOneValue ?? false;
}

/** What `read` makes of a document; null if it is malformed or not UTF-8. */
export function readDocument<T>(bytes: Buffer, read: (json: JsonBytes) => T): T | null {
  if (!isUtf8(bytes)) return null;
  const json = JsonBytes.over(bytes);
  try {
    json.skipMark();
    return read(json);
  } catch (error) {
    if (error === MALFORMED || error === NEED_MORE) return null;
    throw error;
  }
}
