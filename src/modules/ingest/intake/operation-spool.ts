import { type FileHandle, mkdtemp, open, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As much as is kept in memory before the rest goes to a file. */
const MEMORY_BYTES = 4 * 1024 * 1024;

/**
 * Operations that have to wait for the end of a batch, in order. What does not fit into memory is kept in a file that has no name
 * any more, so that nothing is left of it after a crash.
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

  /** Moves operations to the file when too many are in memory. */
  async settle(): Promise<void> {
    if (this.bytes < MEMORY_BYTES) return;
    this.file ??= await namelessFile();
    const { lines } = this;
    this.clearMemory();
    await this.file.appendFile(`${lines.join('\n')}\n`);
  }

  /** All operations in order, at most `size` at a time. The spool is empty afterwards. */
  async *batches(size: number): AsyncGenerator<Operation[]> {
    let batch: Operation[] = [];
    if (this.file) {
      const lines = this.file.readLines({ start: 0, autoClose: false });
      for await (const line of lines) {
        batch.push(JSON.parse(line) as Operation);
        if (batch.length === size) {
          yield batch;
          batch = [];
        }
      }
    }
    for (const line of this.lines) {
      batch.push(JSON.parse(line) as Operation);
      if (batch.length === size) {
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
    await this.clear();
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

async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-'));
  const path = join(folder, 'operations');
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  await rmdir(folder);
  return file;
}
