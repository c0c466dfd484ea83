import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedDownload {
  key: string;
  fileName: string;
}

/**
 * The last path segment and query of a link to an object on disk: `<object>?expires=…&name=…&signature=…`,
 * signed with HMAC-SHA-256 over the key, the file name and the expiry (seconds since 1970).
 */
export function signObjectLink(secret: string, download: SignedDownload, expiresAt: Date): string {
  const expires = String(Math.ceil(expiresAt.getTime() / 1000));
  const query = new URLSearchParams({ expires, name: download.fileName });
  query.set('signature', signature(secret, download, expires).toString('base64url'));
  return `${Buffer.from(download.key).toString('base64url')}?${query}`;
}

/**
 * The download that a link allows at `now`, or undefined when any part was changed, is missing or repeated, or the link
 * has expired. `object` is the last segment of the link's path, `secrets` are those it may be signed with.
 */
export function verifyObjectLink(
  secrets: readonly string[],
  object: string,
  query: URLSearchParams,
  now: Date,
): SignedDownload | undefined {
  const [expires, fileName, given] = ['expires', 'name', 'signature'].map((name) => {
    const values = query.getAll(name);
    return values.length === 1 ? values[0] : undefined;
  });
  if (expires === undefined || fileName === undefined || given === undefined) return undefined;
  const key = Buffer.from(object, 'base64url');
  const download = { key: key.toString(), fileName };
  const found = Buffer.from(given, 'base64url');
  const canonical = key.toString('base64url') === object && found.toString('base64url') === given;
  const isSignedWith = (secret: string): boolean => {
    const expected = signature(secret, download, expires);
    return found.length === expected.length && timingSafeEqual(found, expected);
  };
  if (!canonical || !secrets.some(isSignedWith)) return undefined;
  return Number(expires) * 1000 > now.getTime() ? download : undefined;
}

function signature(secret: string, { key, fileName }: SignedDownload, expires: string): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['object-link', key, fileName, expires]))
    .digest();
}
