/**
 * Copies a buffer to be kept into its own memory. A small buffer is a slice of a shared 64 KiB pool, which stays alive
 * as long as any slice does.
 */
export function onOwnMemory(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
