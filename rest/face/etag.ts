import type { RestRequest } from '../route.js';
import type { Answer } from './send.js';

/** What Apache, Jetty and other proxies append to the tag of an answer that they compressed, and do not take off again. */
const OF_COMPRESSED = /^(?:--?|;)(?:gzip|br|zstd|deflate)$/;
const LISTED_TAG = /^[\s,]*(?:W\/)?(?:"([^"]*)"|([^\s",]+))\s*(?:,|$)/;

/**
 * Whether a request's `If-None-Match` contains the current entity tag, so that the answer is 304 (RFC 9110, section 13.1.2, weak
 * comparison). Understands `*`, lists (with empty members too, section 5.6.1.2), `W/`, tags without quotation marks,
 * and tags with the suffix of a proxy that compressed the answer.
 *
 * @param current the strong tag with its quotation marks.
 */
export function matchesEntityTag(header: string | null | undefined, current: string): boolean {
  if (!header) return false;
  if (header === current || header.trim() === '*') return true;
  const opaque = current.slice(1, -1);
  let rest = header;
  while (rest !== '') {
    const found = LISTED_TAG.exec(rest);
    if (found === null) return false;
    const tag = found[1] ?? found[2] ?? '';
    if (tag.startsWith(opaque) && (tag.length === opaque.length || OF_COMPRESSED.test(tag.slice(opaque.length))))
      return true;
    rest = rest.slice(found[0].length);
  }
  return false;
}

/**
 * 200 with JSON, or 304 if the caller already has it, in which case the body isn't created. Both have the same headers, with `more` last.
 */
export function taggedAnswer(
  tagged: { readonly body: Buffer | string; readonly etag: string },
  cacheControl: string,
  { headers }: Pick<RestRequest, 'headers'>,
  more?: Readonly<Record<string, string>>,
): Answer {
  const { etag } = tagged;
  const isKnown = matchesEntityTag(headers['if-none-match'], etag);
  return {
    status: isKnown ? 304 : 200,
    body: isKnown ? null : tagged.body,
    headers: { etag, 'cache-control': cacheControl, ...more },
  };
}
