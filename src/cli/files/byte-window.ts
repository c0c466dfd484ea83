import { type FileHandle, open } from 'node:fs/promises';

/** Reads pieces of a file; a piece that runs past the end is short. */
export class ByteWindow {
  private constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  /** Opens a file while `read` runs. Rethrows errors from opening and reading. */
  static async over<T>(path: string, read: (bytes: ByteWindow) => Promise<T>): Promise<T> {
    const file = await open(path, 'r');
    try {
      return await read(new ByteWindow(file, (await file.stat()).size));
    } finally {
      await file.close();
    }
  }

  async at(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - offset));
    if (!Number.isSafeInteger(offset) || offset < 0 || wanted === 0) return Buffer.alloc(0);
    const bytes = Buffer.alloc(wanted);
    const { bytesRead } = await this.file.read(bytes, 0, wanted, offset);
    return bytes.subarray(0, bytesRead);
  }
}
