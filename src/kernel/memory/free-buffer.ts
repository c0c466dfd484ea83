/**
 * Gives the memory of a buffer back at once, if it is the only one on it; the buffer is empty afterwards. For large buffers on hot
 * paths: the collector counts their bytes and not their objects, so dropping them costs a full collection every 64 MiB, and lets
 * hundreds of megabytes gather in between.
 */
export function freeBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0) buffer.transfer(0);
}
