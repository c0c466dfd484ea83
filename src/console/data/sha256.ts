import { sha256 } from '@noble/hashes/sha2';

/** The amount hashed before yielding so the page can render. */
const PIECE_BYTES = 4 * 1024 * 1024;

/**
 * The SHA-256 of a file in lower-case hexadecimal, computed in chunks. The browser's own digest needs the whole file
 * in memory and exists only on HTTPS.
 *
 * @param onProgress called with the share read so far, from 0 to 1
 * @throws any error from reading the file; the reason of `signal` if it is aborted
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
