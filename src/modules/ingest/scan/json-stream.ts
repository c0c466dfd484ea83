import { JsonBytes, MALFORMED, NEED_MORE, Shape } from '../../../kernel/values/json-bytes.js';
import { DEEPEST_JSON } from '../../../kernel/values/json-extent.js';
import { storableJsonText } from './storable-json-text.js';

/** Listener of a {@link JsonStream}. Levels count the containers open around a member or value. */
export interface JsonListener {
  /** A value begins, at a watched level; `key` is its member's, null in an array or if it is too long. Return true to keep its bytes. */
  begin(level: number, key: string | null, shape: Shape): boolean;
  /** Bytes of a kept value, made storable; they are invalid after the call. */
  bytes(part: Buffer): void;
  /** The value is complete. */
  end(level: number): void;
}

const State = {
  value: 0,
  firstElement: 1,
  firstKey: 2,
  key: 3,
  colon: 4,
  after: 5,
  keyText: 6,
  text: 7,
  done: 8,
} as const;
type State = (typeof State)[keyof typeof State];

const SIMPLE_ESCAPES = new Set([...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0)));
const REPLACEMENT = Buffer.from('\\ufffd');
/** Longer than any key of interest, even with all of its letters escaped. */
const LONGEST_KEY = 100;
const LONGEST_NUMBER = 4_096;

const NOBODY: JsonListener = { begin: () => false, bytes: () => undefined, end: () => undefined };

const isSpace = (c: number): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
/**
 * Checks one JSON value of any size against the grammar while its bytes arrive, each byte once, in memory that doesn't grow with it. Bytes
 * must be valid UTF-8. Escapes, numbers and literals are taken whole, so a push may leave a few bytes for the next one.
 */
export class JsonStream {
  isDone = false;
  private readonly json = new JsonBytes();
  private state: State = State.value;
  private readonly isObject: boolean[] = [];
  private level: number;
  private key: string | null = '';
  /** The level of the kept value, or -1. */
  private keptLevel = -1;
  private keptFrom = 0;

  /** `outer` containers are open around the value; members and values down to `watched` levels inside it are reported. */
  constructor(
    private readonly outer: number,
    private readonly watched = -1,
    private readonly listener: JsonListener = NOBODY,
  ) {
    this.level = outer;
  }

  /** Reads bytes and returns where it stopped: after the value, or before a token that needs more bytes. Throws {@link MALFORMED}. */
  push(buf: Buffer, from: number, to: number): number {
    this.keptFrom = from;
    let at = from;
    while (at < to && !this.isDone) {
      const next = this.step(buf, at, to);
      if (next === at) break;
      at = next;
    }
    this.flush(buf, at);
    return at;
  }

  /** Skips the token at `at`; returns `at` itself if more bytes are needed. */
  private step(buf: Buffer, at: number, to: number): number {
    if (this.state === State.text || this.state === State.keyText) return this.inText(buf, at, to);
    const c = buf[at] as number;
    if (isSpace(c)) return at + 1;
    switch (this.state) {
      case State.firstKey:
        if (c === 0x7d) return this.close(buf, at);
        return this.openKey(c, at);
      case State.key:
        return this.openKey(c, at);
      case State.colon:
        if (c !== 0x3a) throw MALFORMED;
        this.state = State.value;
        return at + 1;
      case State.firstElement:
        return c === 0x5d ? this.close(buf, at) : this.openValue(buf, c, at, to);
      case State.after:
        return this.afterValue(buf, c, at);
      default:
        return this.openValue(buf, c, at, to);
    }
  }

  private openKey(c: number, at: number): number {
    if (c !== 0x22) throw MALFORMED;
    this.key = '';
    this.state = State.keyText;
    return at + 1;
  }

  private openValue(buf: Buffer, c: number, at: number, to: number): number {
    if (c === 0x22) {
      this.begin(at, Shape.string);
      this.state = State.text;
      return at + 1;
    }
    if (c === 0x7b || c === 0x5b) {
      this.begin(at, c === 0x7b ? Shape.object : Shape.array);
      this.level++;
      if (this.level > DEEPEST_JSON) throw MALFORMED;
      this.isObject[this.level] = c === 0x7b;
      this.key = null;
      this.state = c === 0x7b ? State.firstKey : State.firstElement;
      return at + 1;
    }
    return this.scalar(buf, at, to);
  }

  private afterValue(buf: Buffer, c: number, at: number): number {
    const inObject = this.isObject[this.level] === true;
    if (c === (inObject ? 0x7d : 0x5d)) return this.close(buf, at);
    if (c !== 0x2c) throw MALFORMED;
    this.key = null;
    this.state = inObject ? State.key : State.value;
    return at + 1;
  }

  private close(buf: Buffer, at: number): number {
    this.level--;
    this.end(buf, at + 1);
    return at + 1;
  }

  private scalar(buf: Buffer, at: number, to: number): number {
    const { json } = this;
    json.buf = buf;
    json.pos = at;
    json.end = to;
    json.unstorable = false;
    try {
      this.begin(at, json.value(0));
    } catch (error) {
      if (error !== NEED_MORE || to - at > LONGEST_NUMBER) throw MALFORMED;
      return at;
    }
    const end = json.pos;
    if (json.unstorable) this.replace(buf, at, end, Buffer.from(storableJsonText(buf.toString('latin1', at, end))));
    this.end(buf, end);
    return end;
  }

  private inText(buf: Buffer, from: number, to: number): number {
    let at = from;
    while (at < to) {
      const c = buf[at] as number;
      if (c === 0x22 || c === 0x5c) break;
      if (c < 0x20) throw MALFORMED;
      at++;
    }
    this.noteKey(buf, from, at);
    if (at === to) return at;
    if (buf[at] === 0x5c) return this.escape(buf, at, to);
    if (this.state === State.keyText) this.state = State.colon;
    else this.end(buf, at + 1);
    return at + 1;
  }

  /** A surrogate pair is one escape; one surrogate alone can't be stored, like U+0000. */
  private escape(buf: Buffer, at: number, to: number): number {
    if (at + 2 > to) return at;
    let end = at + 2;
    if (buf[at + 1] === 0x75) {
      if (at + 7 > to) return at;
      end = at + 6;
      const unit = hexUnit(buf, at + 2);
      const mayBePair = isHigh(unit) && buf[end] === 0x5c;
      if (mayBePair && (end + 2 > to || (buf[end + 1] === 0x75 && end + 6 > to))) return at;
      const isPair = mayBePair && buf[end + 1] === 0x75 && isLow(hexUnit(buf, end + 2));
      if (isPair) end += 6;
      else if (unit === 0 || isHigh(unit) || isLow(unit)) this.replace(buf, at, end, REPLACEMENT);
    } else if (!SIMPLE_ESCAPES.has(buf[at + 1] as number)) throw MALFORMED;
    this.noteKey(buf, at, end);
    return end;
  }

  /** Keeps other bytes in place of a token. */
  private replace(buf: Buffer, at: number, end: number, storable: Buffer): void {
    if (this.keptLevel < 0) return;
    this.flush(buf, at);
    this.listener.bytes(storable);
    this.keptFrom = end;
  }

  private noteKey(buf: Buffer, from: number, to: number): void {
    if (this.state !== State.keyText || this.key === null || !this.isWatched()) return;
    this.key = this.key.length + to - from > LONGEST_KEY ? null : this.key + buf.toString('latin1', from, to);
  }

  private isWatched(): boolean {
    return this.level - this.outer <= this.watched;
  }

  private begin(at: number, shape: Shape): void {
    if (this.keptLevel >= 0 || !this.isWatched()) return;
    const key = this.key === null || this.level === this.outer ? null : (JSON.parse(`"${this.key}"`) as string);
    if (!this.listener.begin(this.level, key, shape)) return;
    this.keptLevel = this.level;
    this.keptFrom = at;
  }

  private end(buf: Buffer, end: number): void {
    if (this.keptLevel === this.level) {
      this.flush(buf, end);
      this.keptLevel = -1;
    }
    if (this.keptLevel < 0 && this.isWatched()) this.listener.end(this.level);
    this.isDone = this.level === this.outer;
    this.state = this.isDone ? State.done : State.after;
  }

  private flush(buf: Buffer, to: number): void {
    if (this.keptLevel >= 0 && to > this.keptFrom) this.listener.bytes(buf.subarray(this.keptFrom, to));
    this.keptFrom = to;
  }
}

/** The UTF-16 unit of four hexadecimal digits. */
function hexUnit(buf: Buffer, at: number): number {
  let unit = 0;
  for (let i = at; i < at + 4; i++) {
    const c = buf[i] as number;
    const letter = c | 0x20;
    if (c >= 0x30 && c <= 0x39) unit = unit * 16 + c - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) unit = unit * 16 + letter - 0x57;
    else throw MALFORMED;
  }
  return unit;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
