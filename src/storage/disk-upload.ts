import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { PutReceipt } from './object-store.js';

const blockBytes = 8 * 1024 * 1024;

/**
 * Writes a stream to an open file and syncs it, hashing on the way. While one block is written and synced the next one
 * is received and hashed, so at most two blocks (16 MiB) are held. Rejects with the first failure of either side,
 * after the file is no longer in use.
 */
export async function writeDurably(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<PutReceipt> {
  const hash = createHash('sha256');
  let bytes = 0;
  let block: Uint8Array[] = [];
  let blockSize = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    await writing;
    const full = block;
    block = [];
    blockSize = 0;
    writing = writeBlock(file, full);
    writing.catch(() => {});
  };
  try {
    for await (const chunk of source) {
      signal?.throwIfAborted();
      hash.update(chunk);
      bytes += chunk.byteLength;
      blockSize += chunk.byteLength;
      block.push(chunk);
      if (blockSize >= blockBytes) await flush();
    }
    signal?.throwIfAborted();
    await flush();
    await writing;
    await file.sync();
  } finally {
    await writing.catch(() => {});
  }
  return { bytes, sha256: hash.digest('hex') };
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
  await file.datasync();
}
