import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const ORIGIN = /^(https?):\/\/(\*\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/;

/** Whether a text is valid in `authorized_origins`: an origin, or one with `*.` before its host. */
export const isOriginPattern = (text: string): boolean => ORIGIN.test(text);

/** Whether an `Origin` header matches a pattern: the same origin, or any host below the one after `*.`. */
export function originMatches(pattern: string, origin: string): boolean {
  const wanted = ORIGIN.exec(pattern);
  const given = ORIGIN.exec(origin.toLowerCase());
  if (!wanted || !given || given[2]) return false;
  if (wanted[1] !== given[1] || portOf(wanted) !== portOf(given)) return false;
  return wanted[2] ? (given[3] as string).endsWith(`.${wanted[3]}`) : given[3] === wanted[3];
}

/** Browsers leave out a scheme's default port. */
const portOf = ([, scheme, , , port]: RegExpExecArray): number => Number(port ?? (scheme === 'https' ? 443 : 80));

/** Whether a text is valid in a list of addresses: an IP address or a CIDR range. */
export function isAddressPattern(text: string): boolean {
  // The parser also reads `10.1` and octal numbers, which hardly mean to whoever writes them what they mean to it.
  const [address = ''] = text.split('/', 1);
  return isIP(address) !== 0 && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text));
}

/** Bits before the IPv4 address in an IPv6 address that contains one. */
const MAPPED_BITS = 96;

/** Whether an address is in one of the addresses or CIDR ranges; IPv4 in IPv6 counts as IPv4. */
export function addressMatches(patterns: readonly string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const given = ipaddr.process(address);
  return patterns.some((pattern) => {
    if (ipaddr.isValidCIDR(pattern)) return isWithin(given, ipaddr.parseCIDR(pattern));
    return ipaddr.isValid(pattern) && ipaddr.process(pattern).toNormalizedString() === given.toNormalizedString();
  });
}

function isWithin(given: ipaddr.IPv4 | ipaddr.IPv6, [range, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  if (range instanceof ipaddr.IPv6 && range.isIPv4MappedAddress() && bits >= MAPPED_BITS)
    return isWithin(given, [range.toIPv4Address(), bits - MAPPED_BITS]);
  return given.kind() === range.kind() && given.match(range, bits);
}
