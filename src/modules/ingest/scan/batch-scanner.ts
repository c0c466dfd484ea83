import { JsonBytes, MALFORMED, NEED_MORE, readDocument, Shape } from '../../../kernel/values/json-bytes.js';
import {
  isValidPayload,
  MAX_PROPERTIES_BYTES,
  OPERATION_KINDS,
  type OperationKind,
  type OperationType,
} from '../operations/operation-kinds.js';
import { PayloadFields } from '../operations/payload-fields.js';
import { JsonStream } from './json-stream.js';
import { LargeOperation, type PropertiesSink, type SpooledRange } from './large-operation.js';
import { Utf8Stream } from './utf8-stream.js';

/** Receives accepted operations, in the order of the array. */
export interface OperationSink {
  /** `fields` is readable only during the call. */
  operation(kind: OperationKind, fields: PayloadFields): void;
  /** `operations` was repeated; its last value counts, so everything so far is void. */
  restart(): void;
}

/** Like {@link OperationSink}, for bodies of any size. */
export interface StreamSink extends OperationSink, PropertiesSink {
  /** An operation that was too large for memory; `fields` has `{}` in place of its properties. */
  large(kind: OperationKind, fields: PayloadFields, properties: SpooledRange): void;
}

/** Why a body is rejected, in the order of docs/rest.md, Ingestion: format, operations, types, payloads. */
export type BatchRefusal =
  | { code: 'invalid_body' }
  | { code: 'value_too_large' }
  | { code: 'no_operations' }
  | { code: 'unknown_type'; index: number }
  | { code: 'invalid_payload'; type: OperationType; index?: number };

const OPERATIONS = Buffer.from('operations');
const TYPE = Buffer.from('type');
const PAYLOAD = Buffer.from('payload');
const WINDOW_BYTES = 256 * 1024;
/** An operation that has arrived only partially up to this size is read as a {@link LargeOperation}. */
const LARGE_BYTES = 1024 * 1024;

/** Reads one operation's payload, which is the whole body of a single operation. */
export function scanPayload(kind: OperationKind, body: Buffer, sink: OperationSink): BatchRefusal | null {
  const fields = new PayloadFields();
  const isRead = readDocument(body, (json) => {
    fields.read(json, 0);
    return json.skipSpace();
  });
  if (!isRead) return { code: 'invalid_body' };
  if (!isValidPayload(kind, fields)) return { code: 'invalid_payload', type: kind.type };
  sink.operation(kind, fields);
  return null;
}

type Step =
  | 'mark'
  | 'start'
  | 'first member'
  | 'member'
  | 'member value'
  | 'after member'
  | 'first element'
  | 'element'
  | 'after element'
  | 'end';

/**
 * Splits `{"operations":[…]}` into operations while its bytes arrive, in memory that doesn't grow with them; with a kind, reads a body that
 * is a single operation's payload. The whole text is checked against the JSON grammar; only the sink builds anything from it.
 */
export class BatchScanner {
  private readonly json = new JsonBytes();
  private readonly utf8 = new Utf8Stream();
  private readonly fields = new PayloadFields();
  private step: Step = 'mark';
  private malformed = false;
  private tooLarge = false;
  private isOperations = false;
  private seenOperations = false;
  private operations = 0;
  /** Index of the first operation with an unknown type; -1 if there is none. */
  private unknownAt = -1;
  private badPayload: { kind: OperationKind; index: number } | null = null;
  /** A value that doesn't fit is retried only when twice as much of it has arrived. */
  private tryAgainAt = 0;
  /** The value being read piece by piece: an operation, or a body member that isn't used. */
  private large: LargeOperation | JsonStream | null = null;

  /** A kind needs a {@link StreamSink}, as {@link push} does for operations of any size. */
  constructor(
    private readonly sink: OperationSink | StreamSink,
    private readonly kind: OperationKind | null = null,
  ) {}

  /** Reads a body that is completely in memory. */
  scan(body: Buffer): BatchRefusal | null {
    this.json.buf = body;
    this.json.pos = 0;
    this.json.end = body.length;
    this.malformed = !this.utf8.push(body);
    this.run();
    return this.finish();
  }

  /** Reads the next bytes of a body; complete operations are passed to the sink before it returns. */
  push(chunk: Buffer): void {
    if (this.malformed || this.tooLarge) return;
    if (!this.utf8.push(chunk)) {
      this.malformed = true;
      return;
    }
    this.append(chunk);
    const waiting = this.json.end - this.json.pos;
    if (waiting < this.tryAgainAt) return;
    this.run();
    this.makeRoom();
    const left = this.json.end - this.json.pos;
    this.tryAgainAt = left < waiting || this.large ? 0 : waiting * 2;
  }

  /** Whether the body will be rejected with this error whatever follows. */
  get isHopeless(): boolean {
    return this.malformed || this.tooLarge;
  }

  /** Whether the body is already rejected, so that its operations needn't be stored. */
  get isRefused(): boolean {
    return this.isHopeless || this.unknownAt >= 0 || this.badPayload !== null;
  }

  /** Call once after the last byte. Null if the whole body is valid. */
  finish(): BatchRefusal | null {
    if (this.tooLarge) return { code: 'value_too_large' };
    if (this.step !== 'end' && !this.malformed) this.run();
    if (this.malformed || this.step !== 'end' || !this.utf8.finish()) return { code: 'invalid_body' };
    if (this.operations === 0) return { code: 'no_operations' };
    if (this.unknownAt >= 0) return { code: 'unknown_type', index: this.unknownAt };
    if (!this.badPayload) return null;
    const { kind, index } = this.badPayload;
    return { code: 'invalid_payload', type: kind.type, ...(this.kind ? {} : { index }) };
  }

  private append(chunk: Buffer): void {
    const { json } = this;
    const left = json.end - json.pos;
    const size = left + chunk.length;
    if (json.buf.length < size) {
      const grown = Buffer.allocUnsafeSlow(Math.max(WINDOW_BYTES, size * 2));
      json.buf.copy(grown, 0, json.pos, json.end);
      json.buf = grown;
    } else if (left > 0) {
      json.buf.copyWithin(0, json.pos, json.end);
    }
    chunk.copy(json.buf, left);
    json.pos = 0;
    json.end = size;
  }

  private run(): void {
    const { json } = this;
    let from = json.pos;
    try {
      for (;;) {
        if (this.large) this.readLarge(this.large);
        else this.advance();
        from = json.pos;
      }
    } catch (error) {
      if (!this.large) json.pos = from;
      if (error === MALFORMED) this.malformed = true;
      else if (error !== NEED_MORE) throw error;
    }
  }

  /** Drops the white space at the start of a step, and continues piece by piece with what doesn't fit into the window. */
  private makeRoom(): void {
    const { json, step } = this;
    if (this.large || this.isHopeless) return;
    json.skipSpace();
    if (json.end - json.pos < LARGE_BYTES) return;
    if (step === 'element') this.large = new LargeOperation(2, null, this.sink as StreamSink);
    else if (step === 'member value') this.large = new JsonStream(1);
    else this.tooLarge = true;
    this.run();
  }

  private readLarge(large: LargeOperation | JsonStream): void {
    const { json } = this;
    json.pos = large.push(json.buf, json.pos, json.end);
    if (large instanceof JsonStream) {
      if (!large.isDone) throw NEED_MORE;
      this.large = null;
      this.afterMember();
      return;
    }
    this.tooLarge ||= large.isTooLarge;
    if (!large.isDone) throw NEED_MORE;
    this.large = null;
    const { kind, payload, fields, properties } = large.finish();
    if (this.kind && payload !== Shape.object) throw MALFORMED;
    this.operations++;
    this.judge(kind, payload, fields, properties);
    this.step = this.kind ? 'end' : 'after element';
  }

  private advance(): void {
    const { json } = this;
    switch (this.step) {
      case 'mark':
        json.skipMark();
        if (this.kind) this.large = new LargeOperation(0, this.kind, this.sink as StreamSink);
        this.step = 'start';
        break;
      case 'start':
        json.expect(0x7b);
        this.step = 'first member';
        break;
      case 'first member':
        this.step = this.closes(0x7d) ? 'end' : 'member';
        break;
      case 'member':
        this.member();
        break;
      case 'member value':
        this.memberValue();
        break;
      case 'after member':
        this.step = json.another(0x7d) ? 'member' : 'end';
        break;
      case 'first element':
        this.step = this.closes(0x5d) ? 'after member' : 'element';
        break;
      case 'element':
        this.element();
        this.step = 'after element';
        break;
      case 'after element':
        this.step = json.another(0x5d) ? 'element' : 'after member';
        break;
      case 'end':
        json.peek();
        throw MALFORMED;
    }
  }

  private closes(closer: number): boolean {
    const closed = this.json.peek() === closer;
    if (closed) this.json.pos++;
    return closed;
  }

  private member(): void {
    const { json } = this;
    json.expectKey();
    this.isOperations = json.textIs(OPERATIONS);
    json.expect(0x3a);
    this.step = 'member value';
  }

  private memberValue(): void {
    const { json } = this;
    if (this.isOperations && json.peek() === 0x5b) {
      this.forget();
      json.pos++;
      this.step = 'first element';
    } else {
      json.value(1);
      this.afterMember();
    }
  }

  private afterMember(): void {
    if (this.isOperations) this.forget();
    this.step = 'after member';
  }

  private forget(): void {
    if (this.seenOperations) this.sink.restart();
    this.seenOperations = true;
    this.operations = 0;
    this.unknownAt = -1;
    this.badPayload = null;
  }

  private element(): void {
    const { json } = this;
    if (json.peek() !== 0x7b) {
      json.value(2);
      this.operations++;
      this.judge(undefined, Shape.absent, this.fields, null);
      return;
    }
    let kind: OperationKind | undefined;
    let payload: Shape = Shape.absent;
    json.pos++;
    for (let more = !this.closes(0x7d); more; more = json.another(0x7d)) {
      json.expectKey();
      const isType = json.textIs(TYPE);
      const isPayload = !isType && json.textIs(PAYLOAD);
      json.expect(0x3a);
      if (isPayload && json.peek() === 0x7b) {
        this.fields.read(json, 3);
        payload = Shape.object;
      } else {
        const shape = json.value(3);
        if (isPayload) payload = shape;
        if (isType) kind = shape === Shape.string ? OPERATION_KINDS.find((k) => json.textIs(k.typeBytes)) : undefined;
      }
    }
    this.operations++;
    this.judge(kind, payload, this.fields, null);
  }

  private judge(
    kind: OperationKind | undefined,
    payload: Shape,
    fields: PayloadFields,
    properties: SpooledRange | null,
  ): void {
    const index = this.operations - 1;
    if (kind === undefined) {
      if (this.unknownAt < 0) this.unknownAt = index;
    } else if (payload !== Shape.object || !isValidPayload(kind, fields) || !isStorable(properties))
      this.badPayload ??= { kind, index };
    else if (this.isRefused) return;
    else if (properties) (this.sink as StreamSink).large(kind, fields, properties);
    else this.sink.operation(kind, fields);
  }
}

function isStorable(properties: SpooledRange | null): boolean {
  return properties === null || properties.to - properties.from <= MAX_PROPERTIES_BYTES;
}
