import { sha256 } from '@noble/hashes/sha2';

/** What is hashed between two chances for the page to draw. */
const PIECE_BYTES = 4 * 1024 * 1024;

/**
 * The SHA-256 of a file in lower-case hexadecimal, read piece by piece. The browser's own digest wants the whole file in memory, and
 * exists on HTTPS alone.
 *
 * @param onProgress called with the share that has been read, from 0 to 1
 * @throws what reading the file throws, the reason of `signal` once it is aborted
 */
export async function sha256Of(file: Blob, signal: AbortSignal, onProgress?: (share: number) => void): Promise<string> {
  const hash = sha256.create();
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    signal.throwIfAborted();
    hash.update(new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer()));
    onProgress?.(Math.min(1, (at + PIECE_BYTES) / file.size));
  }
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
