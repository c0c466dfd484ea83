import { uuidOfDigits, uuidV7Bytes } from '../../../kernel/ids.js';
import { freeBuffer } from '../../../kernel/memory/free-buffer.js';
import { Shape } from '../../../kernel/values/json-bytes.js';
import { FIELD, type PayloadFields } from '../operations/payload-fields.js';
import { storableJsonText } from '../scan/storable-json-text.js';

/** The header and trailer of a binary COPY stream (PostgreSQL documentation, COPY, "Binary Format"). */
export const COPY_HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
export const COPY_TRAILER = Buffer.from([0xff, 0xff]);

/** The columns of {@link EventRows}, in order. */
export const EVENT_COLUMNS = 'id, project_id, environment, event_name, distinct_id, occurred_at, properties';

const COLUMN_COUNT = 7;
const POSTGRES_EPOCH_MS = 946_684_800_000;
const FIRST_BYTES = 32 * 1024;
const NOTHING = Buffer.alloc(0);
const EMPTY_OBJECT = Buffer.from('{}');

/** Bytes of a row besides its texts: the count, the lengths, two ids, the time. */
const FIXED_BYTES = 2 + COLUMN_COUNT * 4 + 16 + 16 + 8;

/** Offset of the id in a row: after the column count and its own length. */
const ID_AT = 2 + 4;

const KNOWN_HEADS = 4_096;
const heads = new Map<string, Buffer>();

/** The first columns of a row, except for the id's bytes. */
function headOf(projectId: string, environment: string): Buffer {
  const key = `${projectId} ${environment}`;
  const known = heads.get(key);
  if (known) return known;
  const name = Buffer.from(environment);
  const head = Buffer.alloc(2 + 4 + 16 + 4 + 16 + 4 + name.length);
  head.writeInt16BE(COLUMN_COUNT, 0);
  head.writeInt32BE(16, 2);
  head.writeInt32BE(16, 22);
  head.write(projectId.replaceAll('-', ''), 26, 'hex');
  head.writeInt32BE(name.length, 42);
  name.copy(head, 46);
  if (heads.size >= KNOWN_HEADS) heads.clear();
  heads.set(key, head);
  return head;
}

/** A 32-bit integer in network order; Buffer's own method checks its arguments, which costs more than the write. */
function writeInt32(buf: Buffer, value: number, at: number): void {
  buf[at] = value >>> 24;
  buf[at + 1] = value >>> 16;
  buf[at + 2] = value >>> 8;
  buf[at + 3] = value;
}

/** Shorter runs of bytes are copied faster here than by a call into the runtime. */
const SHORT_BYTES = 64;

function copyBytes(source: Buffer, from: number, to: number, target: Buffer, at: number): void {
  if (to - from > SHORT_BYTES) source.copy(target, at, from, to);
  else for (let i = from, j = at; i < to; i++, j++) target[j] = source[i] as number;
}

/** The length of a field, read from in front of its bytes. */
export function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes);
  return length;
}

/** The id of an encoded row, in its usual form. */
export const rowId = (buf: Buffer, from = 0): string =>
  uuidOfDigits(buf.toString('hex', from + ID_AT, from + ID_AT + 16));

/** Rows of the table `event`, encoded for a binary COPY while they are read. */
export class EventRows {
  private buf: Buffer;
  private spare: Buffer | null = null;
  private length = 0;
  count = 0;
  /** The range in Unix milliseconds in which the ids of all rows were made, inclusive; a clock may be set back in between. */
  idsFrom = Number.POSITIVE_INFINITY;
  idsTo = Number.NEGATIVE_INFINITY;
  /** Everything from the field count to the environment; only the id differs between rows of one request. */
  private readonly head: Buffer;

  constructor(projectId: string, environment: string, firstBytes = FIRST_BYTES) {
    this.buf = Buffer.allocUnsafe(firstBytes);
    this.head = headOf(projectId, environment);
  }

  /** Bytes encoded and not yet taken. */
  get bytes(): number {
    return this.length;
  }

  /** Appends one track operation. `occurredAt` is in Unix milliseconds; returns the row's first byte. */
  append(fields: PayloadFields, occurredAt: number): number {
    const properties = this.properties(fields);
    const variable =
      (properties?.length ?? fields.to(FIELD.properties) - fields.from(FIELD.properties)) + this.head.length;
    const names = this.textBytes(fields, FIELD.event_name) + this.textBytes(fields, FIELD.distinct_id);
    this.reserve(FIXED_BYTES + variable + names);
    const from = this.length;
    const { buf } = this;
    copyBytes(this.head, 0, this.head.length, buf, from);
    const madeAt = uuidV7Bytes(buf, from + ID_AT);
    if (madeAt < this.idsFrom) this.idsFrom = madeAt;
    if (madeAt > this.idsTo) this.idsTo = madeAt;
    let at = from + this.head.length;
    at = this.text(fields, FIELD.event_name, at);
    at = this.text(fields, FIELD.distinct_id, at);
    at = this.time(occurredAt, at);
    at = this.json(fields, properties, at);
    this.length = at;
    this.count++;
    return from;
  }

  /** Rows encoded and not taken. */
  encoded(): Buffer {
    return this.buf.subarray(0, this.length);
  }

  /** Ids of the first rows encoded and not yet taken. */
  firstIds(most: number): string[] {
    const ids: string[] = [];
    for (let at = 0; at < this.length && ids.length < most; ) {
      ids.push(rowId(this.buf, at));
      at += 2;
      for (let column = 0; column < COLUMN_COUNT; column++) at += 4 + this.buf.readInt32BE(at);
    }
    return ids;
  }

  /** Hands over the encoded rows; they stay counted, and the next ones go to other memory. */
  take(): Buffer {
    const taken = this.encoded();
    this.buf = this.spare ?? Buffer.allocUnsafe(this.buf.length);
    this.spare = null;
    this.length = 0;
    return taken;
  }

  /**
   * Takes the last row back, which has `{}` as its properties, and returns it up to their length; it stays counted. The properties follow
   * it, with {@link lengthOf} before them.
   */
  cutLast(from: number): Buffer {
    const row = Buffer.from(this.buf.subarray(from, this.length - 4 - EMPTY_OBJECT.length));
    this.length = from;
    return row;
  }

  /** Returns memory that {@link take} handed over, once it was sent. */
  reuse(taken: Buffer): void {
    this.spare = Buffer.from(taken.buffer, taken.byteOffset);
  }

  /** Frees the memory; the rows stay counted. */
  free(): void {
    freeBuffer(this.buf);
    this.buf = NOTHING;
    this.length = 0;
  }

  clear(): void {
    this.length = 0;
    this.count = 0;
    this.idsFrom = Number.POSITIVE_INFINITY;
    this.idsTo = Number.NEGATIVE_INFINITY;
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buf.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.buf.length * 2, this.length + bytes));
    this.buf.copy(grown, 0, 0, this.length);
    this.buf = grown;
  }

  private properties(fields: PayloadFields): Buffer | null {
    if (fields.shape(FIELD.properties) === Shape.absent) return EMPTY_OBJECT;
    if (!fields.isUnstorable(FIELD.properties)) return null;
    return Buffer.from(storableJsonText(fields.raw(FIELD.properties)));
  }

  /** An upper bound: a decoded escape is never longer in UTF-8 than in written form. */
  private textBytes(fields: PayloadFields, field: number): number {
    return fields.to(field) - fields.from(field);
  }

  private text(fields: PayloadFields, field: number, at: number): number {
    const { buf } = this;
    const from = fields.from(field);
    const to = fields.to(field);
    let length = to - from;
    if (fields.isPlain(field)) copyBytes(fields.buf, from, to, buf, at + 4);
    else length = buf.write(fields.text(field), at + 4, 'utf8');
    writeInt32(buf, length, at);
    return at + 4 + length;
  }

  /** Microseconds since 2000 as a 64-bit integer, written in halves. */
  private time(ms: number, at: number): number {
    const micros = (ms - POSTGRES_EPOCH_MS) * 1000;
    const high = Math.floor(micros / 0x1_0000_0000);
    writeInt32(this.buf, 8, at);
    writeInt32(this.buf, high, at + 4);
    writeInt32(this.buf, micros - high * 0x1_0000_0000, at + 8);
    return at + 12;
  }

  private json(fields: PayloadFields, replaced: Buffer | null, at: number): number {
    const { buf } = this;
    const length = replaced
      ? replaced.copy(buf, at + 4)
      : fields.buf.copy(buf, at + 4, fields.from(FIELD.properties), fields.to(FIELD.properties));
    writeInt32(buf, length, at);
    return at + 4 + length;
  }
}
