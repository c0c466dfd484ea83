const LARGEST_KEY_BYTES = 1024;
const LARGEST_NAME_BYTES = 255;

/**
 * A key as stored on disk or in a bucket: each part between slashes contains only `A–Z a–z 0–9 - _ . ~ %`, is never
 * empty, `.` or `..`, and does not begin with a dot. Throws when the key is empty or too long.
 */
export function storedKey(key: string): string {
  const stored = key.split('/').map(storedPart).join('/');
  if (key === '' || stored.length > LARGEST_KEY_BYTES) throw new RangeError('An object key must have 1 to 1024 bytes');
  return stored;
}

/** The original key of a stored name; undefined for a name that `storedKey` does not produce. */
export function originalKey(stored: string): string | undefined {
  try {
    const parts = stored.split('/').map((part) => (part === '%' ? '' : decodeURIComponent(part)));
    const key = parts.join('/');
    return storedKey(key) === stored ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The longest text that begins the stored form of every key with this prefix. */
export function storedPrefix(prefix: string): string {
  const parts = prefix.split('/');
  const last = parts.pop() ?? '';
  const folders = parts.map((part) => `${storedPart(part)}/`).join('');
  return last === '' ? folders : folders + storedPart(last);
}

function storedPart(part: string): string {
  if (part === '') return '%';
  const stored = encodeURIComponent(part.toWellFormed())
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^\./, '%2E');
  if (stored.length > LARGEST_NAME_BYTES) throw new RangeError('A part of an object key must have at most 255 bytes');
  return stored;
}
