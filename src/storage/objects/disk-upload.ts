import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { PutReceipt } from './object-store.js';

/** Small, so that received buffers are freed while young: collecting old ones costs more than hashing. */
const BLOCK_BYTES = 1024 * 1024;
/** How much is written before a sync, which runs alongside the next writes. */
const SYNCED_BYTES = 8 * 1024 * 1024;

/**
 * Writes a stream to an open file, hashes and syncs it. While one block is written the next one is received and hashed,
 * so at most two blocks (2 MiB) are held. Rejects with the first error of any side, once the file is no longer in use.
 */
export async function writeDurably(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<PutReceipt> {
  const hash = createHash('sha256');
  const writer = new BlockWriter(file);
  let bytes = 0;
  let block: Uint8Array[] = [];
  let blockSize = 0;
  try {
    for await (const chunk of source) {
      signal?.throwIfAborted();
      hash.update(chunk);
      bytes += chunk.byteLength;
      blockSize += chunk.byteLength;
      block.push(chunk);
      if (blockSize < BLOCK_BYTES) continue;
      await writer.write(block, blockSize);
      block = [];
      blockSize = 0;
    }
    signal?.throwIfAborted();
    await writer.write(block, blockSize);
    await writer.finish();
    await file.sync();
  } finally {
    await writer.settle();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Writes one block at a time while earlier ones are synced. */
class BlockWriter {
  private writing: Promise<void> = Promise.resolve();
  private syncing: Promise<void> = Promise.resolve();
  private unsynced = 0;

  constructor(private readonly file: FileHandle) {}

  /** Starts writing a block once the previous one is written. */
  async write(chunks: Uint8Array[], size: number): Promise<void> {
    await this.writing;
    this.writing = writeBlock(this.file, chunks);
    this.writing.catch(() => {});
    this.unsynced += size;
    if (this.unsynced < SYNCED_BYTES) return;
    this.unsynced = 0;
    await this.syncing;
    this.syncing = this.writing.then(() => this.file.datasync());
    this.syncing.catch(() => {});
  }

  async finish(): Promise<void> {
    await this.writing;
    await this.syncing;
  }

  /** Waits until all writes have settled. */
  async settle(): Promise<void> {
    await this.writing.catch(() => {});
    await this.syncing.catch(() => {});
  }
}

async function writeBlock(file: FileHandle, chunks: Uint8Array[]): Promise<void> {
  let rest = chunks.filter((chunk) => chunk.byteLength > 0);
  while (rest.length > 0) {
    let { bytesWritten } = await file.writev(rest.slice(0, 1000));
    let whole = 0;
    while (whole < rest.length && bytesWritten >= (rest[whole]?.byteLength ?? 0)) {
      bytesWritten -= rest[whole]?.byteLength ?? 0;
      whole += 1;
    }
    rest = rest.slice(whole);
    const first = rest[0];
    if (first && bytesWritten > 0) rest[0] = first.subarray(bytesWritten);
  }
}
