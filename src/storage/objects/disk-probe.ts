import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from './durable-files.js';

const WRITTEN = Buffer.alloc(64 * 1024, 1);
const FRESH_MS = 1_000;
const PATIENCE_MS = 500;
const STUCK_MS = 10_000;

/**
 * Tells whether a folder takes writes, by writing, syncing and removing 64 KiB: permissions alone say nothing about a full or failing
 * disk. However often it is asked, one write is under way at a time, and one a second.
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
   * Resolves, or rejects with what the disk answered to the last write. A disk that is merely slow counts as it was, one that does
   * not answer for ten seconds as refusing.
   */
  async check(): Promise<void> {
    if (!this.writing && this.now() - this.endedAt > FRESH_MS) this.writing = this.write();
    if (this.writing) await inTime(this.writing);
    if (this.writing && this.now() - this.begunAt > STUCK_MS) throw new Error(`${this.folder} takes no writes`);
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

/** The file has no name while it is written, so that a process that dies leaves none behind. */
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

async function inTime(write: Promise<void>): Promise<void> {
  const late = new AbortController();
  try {
    await Promise.race([write, sleep(PATIENCE_MS, undefined, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}
