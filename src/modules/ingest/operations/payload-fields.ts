import { storableText } from '../../../kernel/text.js';
import { type JsonBytes, Shape } from '../../../kernel/values/json-bytes.js';
import { isSurelyNoGarbage } from './garbage-ids.js';

/** Every field known to some kind of operation; other fields of a payload are ignored. */
export const FIELD_NAMES = ['event_name', 'distinct_id', 'properties', 'timestamp', 'insert_id', 'alias_id'] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

export const FIELD = { event_name: 0, distinct_id: 1, properties: 2, timestamp: 3, insert_id: 4, alias_id: 5 } as const;

const NAMES = FIELD_NAMES.map((name) => Buffer.from(name));

const NOTHING = Buffer.alloc(0);
const ESCAPED = 1;
const UNSTORABLE = 2;

/**
 * Where the known fields of one payload are in the reader's window. One instance is reused for every operation, so it is readable only
 * until the next operation is read. A repeated field holds its last value.
 */
export class PayloadFields {
  buf: Buffer = NOTHING;
  /** The `timestamp` in Unix milliseconds, NaN if there is none. */
  occurredAt = Number.NaN;
  private readonly start = new Float64Array(FIELD_NAMES.length);
  private readonly end = new Float64Array(FIELD_NAMES.length);
  private readonly shapes = new Uint8Array(FIELD_NAMES.length);
  private readonly flags = new Uint8Array(FIELD_NAMES.length);

  /** Reads the object at the reader's position. `depth` is the number of containers open around it. */
  read(json: JsonBytes, depth: number): void {
    this.buf = json.buf;
    this.shapes.fill(Shape.absent);
    this.occurredAt = Number.NaN;
    json.expect(0x7b);
    if (json.peek() === 0x7d) {
      json.pos++;
      return;
    }
    for (;;) {
      json.expectKey();
      const field = this.match(json);
      json.expect(0x3a);
      json.peek();
      const from = json.pos;
      json.unstorable = false;
      const shape = json.value(depth + 1);
      if (field >= 0) this.keep(field, shape, from, json);
      if (!json.another(0x7d)) return;
    }
  }

  shape(field: number): Shape {
    return this.shapes[field] as Shape;
  }

  isEmpty(field: number): boolean {
    return this.end[field] === this.start[field];
  }

  /** Bytes of the value: between the quotes for a string, with its brackets otherwise. */
  from(field: number): number {
    return this.start[field] as number;
  }

  to(field: number): number {
    return this.end[field] as number;
  }

  /** Whether a string's bytes are its text, so that they can be copied as they are. */
  isPlain(field: number): boolean {
    return this.flags[field] === 0;
  }

  /** Whether the value contains an escaped U+0000, a surrogate escape, or a number that may exceed the range of a double. */
  isUnstorable(field: number): boolean {
    return ((this.flags[field] as number) & UNSTORABLE) !== 0;
  }

  /** The text of a string field as stored: U+0000 and lone surrogates replaced. */
  text(field: number): string {
    const from = this.from(field);
    const to = this.to(field);
    if (this.isPlain(field)) return this.buf.toString('utf8', from, to);
    return storableText(JSON.parse(this.buf.toString('utf8', from - 1, to + 1)) as string);
  }

  /** Like the function of this name; a text with escapes must be decoded first. */
  isSurelyNoGarbage(field: number): boolean {
    return this.isPlain(field) && isSurelyNoGarbage(this.buf, this.from(field), this.to(field));
  }

  /** The value's bytes as text, as they came. */
  raw(field: number): string {
    return this.buf.toString('utf8', this.from(field), this.to(field));
  }

  private match(json: JsonBytes): number {
    for (let i = 0; i < NAMES.length; i++) if (json.textIs(NAMES[i] as Buffer)) return i;
    return -1;
  }

  private keep(field: number, shape: Shape, from: number, json: JsonBytes): void {
    const isText = shape === Shape.string;
    this.shapes[field] = shape;
    this.start[field] = isText ? json.textStart : from;
    this.end[field] = isText ? json.textEnd : json.pos;
    this.flags[field] = (isText && json.textEscaped ? ESCAPED : 0) | (json.unstorable ? UNSTORABLE : 0);
  }
}
