import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

export class ClientAddresses {
  private readonly trusted: Network[];

  /** `proxies`: addresses or CIDR ranges whose X-Forwarded-For is believed. */
  constructor(proxies: readonly string[]) {
    this.trusted = proxies.map((entry) => {
      if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
      const address = ipaddr.process(entry);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    });
  }

  /** The last address in the chain that is not a trusted proxy; IPv4-mapped IPv6 is returned as IPv4. */
  ofRequest({ socket, headers }: IncomingMessage): string {
    return this.of(socket.remoteAddress, headers['x-forwarded-for'] as string | undefined);
  }

  /** Like {@link ofRequest}, from the peer's address and the header. */
  of(peer: string | undefined, forwardedFor: string | undefined): string {
    let client = plain(peer ?? '');
    if (this.trusted.length === 0 || !forwardedFor) return client;
    for (const hop of forwardedFor.split(',').reverse()) {
      if (!this.isTrusted(client)) return client;
      const address = withoutPort(hop.trim());
      if (!ipaddr.isValid(address)) return client;
      client = plain(address);
    }
    return client;
  }

  private isTrusted(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    return ipaddr.subnetMatch(ipaddr.process(address), { trusted: this.trusted }, 'unknown') === 'trusted';
  }
}

/** Some proxies, such as Azure's, add the client's port. */
const withoutPort = (hop: string): string => hop.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');

/**
 * The address range assumed to be one client: an IPv4 address or a /64 IPv6 network; null for the server's own work.
 */
export function networkOf(address: string | null): string | null {
  if (address === null || !ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString();
}

const KNOWN_ADDRESSES = 10_000;
const known = new Map<string, string>();

/** Peers recur, and parsing an address costs more than everything else here. */
function plain(address: string): string {
  let text = known.get(address);
  if (text === undefined) {
    text = ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
    if (known.size >= KNOWN_ADDRESSES) known.clear();
    known.set(address, text);
  }
  return text;
}
