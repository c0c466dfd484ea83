/**
 * A copy of a buffer that is to be kept, on memory of its own. A small buffer is a slice of a pool of 64 KiB that it shares with
 * whatever was made before and after it, and all of the pool lives as long as any slice does.
 */
export function onOwnMemory(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
