import type { PackedRecord } from './packed-records.js';

/** The encoding of a text in a record, in the lowest bits of its length. */
const NONE = 0;
const LATIN1 = 1;
const UTF16 = 2;
const IS_LATIN1 = /^[\0-\xff]*$/;

/** Writes the fields of a record into reused memory. */
export class RecordWriter {
  private bytes = Buffer.allocUnsafeSlow(1_024);
  private end = 0;

  number(value: number): this {
    this.makeRoom(8);
    this.end = this.bytes.writeDoubleLE(value, this.end);
    return this;
  }

  /** From 0 up to 2^32 - 1. */
  whole(value: number): this {
    this.makeRoom(4);
    this.end = this.bytes.writeUInt32LE(value, this.end);
    return this;
  }

  text(value: string | null): this {
    if (value === null) return this.whole(NONE);
    if (IS_LATIN1.test(value)) {
      this.makeRoom(4 + value.length);
      this.whole(value.length * 4 + LATIN1);
      this.end += this.bytes.write(value, this.end, 'latin1');
    } else {
      this.makeRoom(4 + value.length * 2);
      this.whole(value.length * 4 + UTF16);
      this.end += this.bytes.write(value, this.end, 'utf16le');
    }
    return this;
  }

  /** The bytes written, valid until the next field. */
  done(): Uint8Array {
    const record = this.bytes.subarray(0, this.end);
    this.end = 0;
    return record;
  }

  private makeRoom(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.end + bytes));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}

/** Reads the fields of a record in the order they were written. */
export class RecordReader {
  private readonly bytes: Buffer;
  private at: number;

  constructor({ bytes, from }: PackedRecord) {
    this.bytes = bytes;
    this.at = from;
  }

  number(): number {
    this.at += 8;
    return this.bytes.readDoubleLE(this.at - 8);
  }

  whole(): number {
    this.at += 4;
    return this.bytes.readUInt32LE(this.at - 4);
  }

  text(): string | null {
    const head = this.whole();
    if (head === NONE) return null;
    const isLatin1 = (head & 3) === LATIN1;
    const from = this.at;
    this.at += (head >>> 2) * (isLatin1 ? 1 : 2);
    return this.bytes.toString(isLatin1 ? 'latin1' : 'utf16le', from, this.at);
  }
}
