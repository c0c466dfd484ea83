import { isIP } from 'node:net';
import type { AddressGuard } from './target-address.js';

const MAX_LENGTH = 2048;

/**
 * Ports of protocols that could misinterpret a POST: the "bad ports" of the Fetch standard that are in use, and common
 * databases and caches.
 */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530, 531,
  532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 3306, 3389, 3659,
  4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211, 27017,
]);

/** What is wrong with a target: a code for the caller's error, and a sentence that says what to do. */
export interface TargetRefusal {
  reason: string;
  advice: string;
}

/** A target split for the transport. `host` has no brackets; `origin` is used for the `host` header and TLS. */
export interface Target {
  href: string;
  origin: string;
  protocol: 'http:' | 'https:';
  host: string;
  port: number;
  path: string;
  isLiteral: boolean;
}

/**
 * Parses a subscription's URL. All spellings of IPv4 literals (decimal, octal, hexadecimal, short, full-width, trailing
 * dot) arrive here as dotted quads, because the URL standard's host parser normalizes them.
 * @returns the target, or why it is refused. A name's addresses are checked when it is resolved, not here.
 */
export function readTarget(text: string, guard: AddressGuard): Target | TargetRefusal {
  if (text.length > MAX_LENGTH) return refusal('url_too_long', `Use a URL of at most ${MAX_LENGTH} characters.`);
  // The URL parser silently drops tabs and line breaks, so two different texts would name one target.
  if (/[\s\p{Cc}\p{Cs}\\]/u.test(text))
    return refusal('url_malformed', 'Remove whitespace, control characters and backslashes.');
  if (!/^https?:\/\//i.test(text)) return refusal('url_scheme', 'Start the URL with https:// or http://.');
  const url = URL.parse(text);
  if (url === null || url.hostname === '')
    return refusal('url_malformed', 'Enter a complete URL such as https://example.com/hook.');
  if (url.username !== '' || url.password !== '')
    return refusal('url_credentials', 'Remove the user name and password.');
  const protocol = url.protocol as Target['protocol'];
  const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (port === 0 || REFUSED_PORTS.has(port)) return refusal('url_port', `Use another port than ${port}.`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = isIP(host) !== 0;
  const denied = isLiteral ? guard.refusal(host) : nameRefusal(host, guard);
  if (denied !== null)
    return refusal(
      `address_${denied}`,
      'Use a public address, or ask your operator to add the range to the allowed networks.',
    );
  return { href: url.href, origin: url.origin, protocol, host, port, path: url.pathname + url.search, isLiteral };
}

export function isRefusal(result: Target | TargetRefusal): result is TargetRefusal {
  return 'reason' in result;
}

/** `localhost` and names under it are loopback, whatever a resolver says (RFC 6761, section 6.3). */
export const isLocalhost = (host: string): boolean => /(^|\.)localhost\.?$/i.test(host);

function nameRefusal(host: string, guard: AddressGuard): string | null {
  const labels = host.replace(/\.$/, '').split('.');
  if (host.length > 254 || labels.some((label) => label === '' || label.length > 63)) return 'bad_name';
  return isLocalhost(host) ? guard.refusal('127.0.0.1') : null;
}

const refusal = (reason: string, advice: string): TargetRefusal => ({ reason, advice });
