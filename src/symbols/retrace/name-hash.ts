/** 32-bit FNV-1a hash of a name's bytes. */
export function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < bytes.length; index++) {
    hash ^= bytes[index] as number;
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
