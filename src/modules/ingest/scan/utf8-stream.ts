import { isUtf8 } from 'node:buffer';

const NOTHING = Buffer.alloc(0);

/** Bytes of the sequence that starts with this byte, 1 if it starts none. */
const sequenceLength = (lead: number): number => {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
};

/** Checks UTF-8 over chunks whose borders may cut a character. */
export class Utf8Stream {
  private carried: Buffer = NOTHING;

  /** False as soon as the bytes so far can't be the start of valid UTF-8. */
  push(chunk: Buffer): boolean {
    let rest = chunk;
    if (this.carried.length > 0) {
      const missing = sequenceLength(this.carried[0] as number) - this.carried.length;
      const whole = Buffer.concat([this.carried, chunk.subarray(0, missing)]);
      if (chunk.length < missing) {
        this.carried = whole;
        return true;
      }
      if (!isUtf8(whole)) return false;
      this.carried = NOTHING;
      rest = chunk.subarray(missing);
    }
    const cut = this.cutAt(rest);
    if (cut === rest.length) return isUtf8(rest);
    this.carried = Buffer.from(rest.subarray(cut));
    return isUtf8(rest.subarray(0, cut));
  }

  /** Whether the last character was complete. */
  finish(): boolean {
    return this.carried.length === 0;
  }

  /** The start of a character that is cut by the chunk's end. */
  private cutAt(chunk: Buffer): number {
    for (let i = chunk.length - 1; i >= Math.max(0, chunk.length - 3); i--) {
      const byte = chunk[i] as number;
      if (byte >= 0xc0) return i + sequenceLength(byte) > chunk.length ? i : chunk.length;
      if (byte < 0x80) return chunk.length;
    }
    return chunk.length;
  }
}
