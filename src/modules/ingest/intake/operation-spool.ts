import type { FileHandle } from 'node:fs/promises';
import { namelessFile } from './nameless-file.js';

/** How much is kept in memory before the rest goes to a file. */
const MEMORY_BYTES = 4 * 1024 * 1024;

/**
 * Operations that must wait for the end of a batch, in order. Whatever doesn't fit into memory is kept in an unlinked file, so that a crash
 * leaves nothing behind.
 */
export class OperationSpool<Operation> {
  private lines: string[] = [];
  private bytes = 0;
  private file: FileHandle | null = null;

  add(operation: Operation): void {
    const line = JSON.stringify(operation);
    this.lines.push(line);
    this.bytes += line.length;
  }

  /** Moves operations to the file if there are too many in memory. */
  async settle(): Promise<void> {
    if (this.bytes < MEMORY_BYTES) return;
    this.file ??= await namelessFile();
    const { lines } = this;
    this.clearMemory();
    await this.file.appendFile(`${lines.join('\n')}\n`);
  }

  /** All operations in order, at most `size` and a few mebibytes at a time. The spool is empty afterwards. */
  async *batches(size: number): AsyncGenerator<Operation[]> {
    let batch: Operation[] = [];
    let length = 0;
    for await (const line of this.all()) {
      batch.push(JSON.parse(line) as Operation);
      length += line.length;
      if (batch.length < size && length < MEMORY_BYTES) continue;
      yield batch;
      batch = [];
      length = 0;
    }
    if (batch.length > 0) yield batch;
    await this.clear();
  }

  private async *all(): AsyncGenerator<string> {
    if (this.file) yield* this.file.readLines({ start: 0, autoClose: false });
    yield* this.lines;
  }

  async clear(): Promise<void> {
    const { file } = this;
    this.file = null;
    this.clearMemory();
    await file?.close();
  }

  private clearMemory(): void {
    this.lines = [];
    this.bytes = 0;
  }
}
