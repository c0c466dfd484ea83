import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { inTime } from '../../kernel/turns/in-time.js';
import { makeFolder } from './durable-files.js';

const WRITTEN = Buffer.alloc(64 * 1024, 1);
const FRESH_MS = 1_000;
const PATIENCE_MS = 500;
const STUCK_MS = 10_000;

/**
 * Checks whether a folder is writable by writing, syncing and removing 64 KiB, because permissions do not reveal a full
 * or failing disk. However often it is called, there is at most one write at a time and one per second.
 */
export class DiskProbe {
  private writing: Promise<void> | null = null;
  private begunAt = Number.NEGATIVE_INFINITY;
  private endedAt = Number.NEGATIVE_INFINITY;
  private failure: unknown = null;

  /** `now` is in milliseconds. */
  constructor(
    private readonly folder: string,
    private readonly now = () => performance.now(),
  ) {}

  /**
   * Resolves, or rejects with the error of the last write. A slow disk keeps its previous result; one that does not
   * respond for ten seconds counts as failing.
   */
  async check(): Promise<void> {
    if (!this.writing && this.now() - this.endedAt > FRESH_MS) this.writing = this.write();
    if (this.writing) await inTime(this.writing, PATIENCE_MS, undefined);
    if (this.writing && this.now() - this.begunAt > STUCK_MS) throw new Error(`${this.folder} does not accept writes`);
    if (this.failure) throw this.failure;
  }

  private async write(): Promise<void> {
    this.begunAt = this.now();
    try {
      await writeOnce(this.folder);
      this.failure = null;
    } catch (error) {
      this.failure = error;
    } finally {
      this.endedAt = this.now();
      this.writing = null;
    }
  }
}

/** The file is unlinked while it is written, so that a dying process leaves nothing behind. */
async function writeOnce(folder: string): Promise<void> {
  await makeFolder(folder);
  const path = join(folder, `${randomUUID()}.new`);
  const file = await open(path, 'wx', 0o600);
  try {
    await unlink(path);
    await file.writeFile(WRITTEN);
    await file.sync();
  } finally {
    await file.close();
  }
}
