import { JsonBytes, Shape } from '../../../kernel/values/json-bytes.js';
import { OPERATION_KINDS, type OperationKind } from '../operations/operation-kinds.js';
import { FIELD_NAMES, type FieldName, PayloadFields } from '../operations/payload-fields.js';
import { type JsonListener, JsonStream } from './json-stream.js';

/** Text fields of an operation are read whole; longer ones are rejected. */
const LONGEST_TEXT = 1024 * 1024;

/** A placeholder of the same JSON type for a value that nobody will read. */
const STAND_INS: Readonly<Record<number, string>> = {
  [Shape.object]: '{}',
  [Shape.array]: '[]',
  [Shape.number]: '0',
  [Shape.literal]: 'null',
};

/** Receives the bytes of large properties, one after the other. */
export interface PropertiesSink {
  /** Bytes so far. */
  readonly length: number;
  /** Takes a copy. */
  add(bytes: Buffer): void;
}

/** A part of a {@link PropertiesSink}. */
export interface SpooledRange {
  readonly from: number;
  readonly to: number;
}

/** A completely read operation. `fields` has `{}` in place of `properties` that are an object. */
export interface ReadOperation {
  readonly kind: OperationKind | undefined;
  readonly payload: Shape;
  readonly fields: PayloadFields;
  /** Null if there are no `properties`, or they aren't an object. */
  readonly properties: SpooledRange | null;
}

type Member = 'type' | 'payload' | FieldName;

/**
 * One operation that is too large for memory: its properties go elsewhere while they arrive, unused values are discarded, and only its
 * texts are kept. With a kind it is a payload by itself, else an element of `operations`.
 */
export class LargeOperation implements JsonListener {
  /** Whether one of its texts is too long to be stored. */
  isTooLarge = false;
  private readonly stream: JsonStream;
  private readonly payloadLevel: number;
  private readonly texts = new Map<FieldName, string>();
  private type: OperationKind | undefined;
  private payload: Shape = Shape.absent;
  private properties: SpooledRange | null = null;
  private member: Member | null = null;
  private text: Buffer[] = [];
  private inPayload = false;

  constructor(
    outer: number,
    private readonly kind: OperationKind | null,
    private readonly sink: PropertiesSink,
  ) {
    this.payloadLevel = kind ? outer : outer + 1;
    this.stream = new JsonStream(outer, this.payloadLevel + 1 - outer, this);
  }

  get isDone(): boolean {
    return this.stream.isDone;
  }

  /** Like {@link JsonStream.push}. */
  push(buf: Buffer, from: number, to: number): number {
    return this.stream.push(buf, from, to);
  }

  /** The result, once {@link isDone}. */
  finish(): ReadOperation {
    const members = [...this.texts].map(([name, value]) => `"${name}":${value}`);
    const fields = new PayloadFields();
    fields.read(JsonBytes.over(Buffer.from(`{${members.join(',')}}`)), 0);
    return { kind: this.kind ?? this.type, payload: this.payload, fields, properties: this.properties };
  }

  begin(level: number, key: string | null, shape: Shape): boolean {
    if (level === this.payloadLevel && (this.kind !== null || key === 'payload')) this.openPayload(shape);
    this.member = this.memberOf(level, key);
    if (this.member === null) return false;
    this.text = [];
    if (this.member === 'type') {
      this.type = undefined;
      return shape === Shape.string;
    }
    if (this.member === 'properties') this.properties = null;
    this.texts.set(this.member as FieldName, STAND_INS[shape] ?? '""');
    if (this.member !== 'properties') return shape === Shape.string;
    if (shape !== Shape.object) return false;
    this.properties = { from: this.sink.length, to: this.sink.length };
    return true;
  }

  bytes(part: Buffer): void {
    if (this.member === 'properties') {
      this.sink.add(part);
      return;
    }
    this.text.push(Buffer.from(part));
    const length = this.text.reduce((sum, { length }) => sum + length, 0);
    if (length > LONGEST_TEXT) {
      this.isTooLarge = true;
      this.text = [];
    }
  }

  end(level: number): void {
    if (level === this.payloadLevel) this.inPayload = false;
    const { member } = this;
    this.member = null;
    if (member === null) return;
    if (member === 'properties') {
      if (this.properties) this.properties = { from: this.properties.from, to: this.sink.length };
    } else if (this.text.length > 0) this.keepText(member, Buffer.concat(this.text).toString());
  }

  private openPayload(shape: Shape): void {
    this.payload = shape;
    this.texts.clear();
    this.properties = null;
    this.inPayload = shape === Shape.object;
  }

  private memberOf(level: number, key: string | null): Member | null {
    if (level === this.payloadLevel) return this.kind === null && key === 'type' ? 'type' : null;
    if (level !== this.payloadLevel + 1 || !this.inPayload) return null;
    return FIELD_NAMES.find((name) => name === key) ?? null;
  }

  private keepText(member: Member, text: string): void {
    if (member === 'type') {
      const type: unknown = JSON.parse(text);
      this.type = OPERATION_KINDS.find((kind) => kind.type === type);
    } else this.texts.set(member as FieldName, text);
  }
}
