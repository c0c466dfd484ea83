/**
 * Frees the memory of an unshared buffer at once; the buffer is empty afterwards. For large buffers on hot paths: the
 * garbage collector counts their bytes, so dropping them triggers a full collection every 64 MiB and lets hundreds of
 * megabytes accumulate in between.
 */
export function freeBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0) buffer.transfer(0);
}
