/** A number from 0 to 999 that is the same for a text whenever and wherever it is drawn (FNV-1a, mixed once more at the end). */
export function drawn(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return (hash >>> 0) % 1_000;
}
