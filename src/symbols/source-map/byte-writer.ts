/** A growing buffer of bytes and little-endian numbers. */
export class ByteWriter {
  length = 0;
  private bytes = Buffer.allocUnsafe(4096);

  /** An unsigned number below 2^53 in groups of seven bits. */
  unsigned(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 128) {
      this.bytes[this.length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  /** A signed number with its sign in the lowest bit. */
  signed(value: number): void {
    this.unsigned(value < 0 ? -value * 2 - 1 : value * 2);
  }

  uint32(value: number): void {
    this.reserve(4);
    this.bytes.writeUInt32LE(value, this.length);
    this.length += 4;
  }

  append(data: Uint8Array): void {
    this.reserve(data.length);
    this.bytes.set(data, this.length);
    this.length += data.length;
  }

  /** The written bytes, valid until the next write. */
  written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.written());
    this.bytes = larger;
  }
}
