import type { FileHandle } from 'node:fs/promises';
import type { PropertiesSink, SpooledRange } from '../scan/large-operation.js';
import { namelessFile } from './nameless-file.js';

const READ_BYTES = 256 * 1024;

/** Bytes kept in a file until they are sent, so that memory doesn't grow with them. */
export class ByteSpool implements PropertiesSink {
  length = 0;
  private waiting: Buffer[] = [];
  private file: FileHandle | null = null;

  add(bytes: Buffer): void {
    this.waiting.push(Buffer.from(bytes));
    this.length += bytes.length;
  }

  /** Writes pending additions; call it after every few of them. */
  async settle(): Promise<void> {
    if (this.waiting.length === 0) return;
    this.file ??= await namelessFile();
    const [first, ...more] = this.waiting.splice(0) as [Buffer, ...Buffer[]];
    await this.file.appendFile(more.length === 0 ? first : Buffer.concat([first, ...more]));
  }

  /** A part of the settled bytes; it is overwritten when the next one is requested. */
  async *read({ from, to }: SpooledRange): AsyncGenerator<Buffer> {
    const { file } = this;
    if (!file) return;
    const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, to - from));
    for (let at = from; at < to; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
      if (bytesRead === 0) throw new Error('the spool is shorter than what was written to it');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  async clear(): Promise<void> {
    const { file } = this;
    this.file = null;
    this.waiting = [];
    this.length = 0;
    await file?.close();
  }
}
