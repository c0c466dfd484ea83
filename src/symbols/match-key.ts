/**
 * Normalizes debug ids, build ids and file names for comparison: lowercase, UUIDs without dashes. Event reporters write
 * the same id in different ways.
 */
export function normalizeKey(key: string): string {
  const lower = key.trim().toLowerCase();
  const plain = lower.replaceAll('-', '');
  return /^[0-9a-f]{16,}$/.test(plain) ? plain : lower;
}

/** A lowercase UUID with dashes, as artifacts show it. */
export function dashedUuid(id: string): string {
  const plain = id.replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(plain)) return id.toLowerCase();
  return plain.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * All keys that reporters use for an ELF file: its build id, and the debug id that Breakpad and its descendants derive
 * by reading the first 16 bytes as a little-endian GUID.
 */
export function elfKeys(buildId: string): string[] {
  const id = buildId.toLowerCase();
  const padded = id.padEnd(32, '0').slice(0, 32);
  return [...new Set([id, padded, swappedGuid(padded)])];
}

/** 32 hex digits with the first three GUID fields byte-swapped. */
export function swappedGuid(id: string): string {
  const bytes = id.match(/../g) ?? [];
  return [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15].map((index) => bytes[index]).join('');
}

/** Keys under which an event's image may be stored; Breakpad appends an age to its ids. */
export function imageKeys(debugId: string): string[] {
  const key = normalizeKey(debugId);
  return /^[0-9a-f]{33,40}$/.test(key) ? [key, key.slice(0, 32)] : [key];
}
