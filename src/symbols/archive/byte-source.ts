import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Random access to a file's bytes, so that large archives need not fit in memory. */
export interface ByteSource {
  readonly size: number;
  /** Up to `length` bytes from `offset`; fewer at the end of the file. */
  read(offset: number, length: number): Buffer;
  close(): void;
}

export function fileSource(path: string): ByteSource {
  const descriptor = openSync(path, 'r');
  return {
    size: fstatSync(descriptor).size,
    read(offset, length) {
      const buffer = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const got = readSync(descriptor, buffer, filled, length - filled, offset + filled);
        if (got === 0) break;
        filled += got;
      }
      return buffer.subarray(0, filled);
    },
    close: () => closeSync(descriptor),
  };
}

export function bufferSource(buffer: Buffer): ByteSource {
  return {
    size: buffer.length,
    read: (offset, length) => buffer.subarray(offset, offset + length),
    close: () => undefined,
  };
}
