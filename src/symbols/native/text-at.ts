const LONGEST_NAME = 16384;

/** The NUL-terminated UTF-8 text at `offset`, cut at 16 kB; empty when the offset is outside. */
export function textAt(bytes: Uint8Array, offset: number): string {
  if (!(offset >= 0 && offset < bytes.length)) return '';
  const limit = Math.min(bytes.length, offset + LONGEST_NAME);
  let end = offset;
  let high = 0;
  while (end < limit) {
    const byte = bytes[end] as number;
    if (byte === 0) break;
    high |= byte;
    end++;
  }
  return viewOf(bytes).toString(high < 0x80 ? 'latin1' : 'utf8', offset, end);
}

/** Cached Buffers over text sections: creating one costs more than reading a name. */
const views = new WeakMap<Uint8Array, Buffer>();

function viewOf(bytes: Uint8Array): Buffer {
  const known = views.get(bytes);
  if (known) return known;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  views.set(bytes, view);
  return view;
}
