import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ALWAYS_DENIED, DENIED_IPV4, DENIED_IPV6, type DeniedNetwork } from './denied-networks.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

interface Rule {
  range: Range;
  reason: string;
}

/**
 * Decides by address, never by name, whether a delivery may connect (reliability, "Webhook targets"). An allowed
 * network overrides the denied networks for its own address family, but never those that are always denied.
 */
export class AddressGuard {
  private readonly always = compile(ALWAYS_DENIED);
  private readonly denied = compile([...DENIED_IPV4, ...DENIED_IPV6]);
  private readonly allowed: readonly Range[];

  /** @param allowedNetworks CIDRs such as `10.20.0.0/16`, or single addresses, as the settings have checked them. */
  constructor(allowedNetworks: readonly string[]) {
    this.allowed = allowedNetworks.map(rangeOf);
  }

  /** Null when the address is allowed, else the reason it is not. Anything but a plain IP literal is refused. */
  refusal(address: string): string | null {
    if (isIP(address) === 0) return 'not_an_address';
    if (address.includes('%')) return 'zone_id';
    const parsed = ipaddr.parse(address);
    const always = reasonFor(parsed, this.always);
    if (always !== null) return always;
    if (this.allowed.some((range) => contains(range, parsed))) return null;
    return reasonFor(parsed, this.denied);
  }
}

const rangeOf = (text: string): Range =>
  text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), isIP(text) === 4 ? 32 : 128];

function compile(networks: readonly DeniedNetwork[]): readonly Rule[] {
  return networks.map(({ cidr, reason }) => ({ range: ipaddr.parseCIDR(cidr), reason }));
}

function reasonFor(address: Address, rules: readonly Rule[]): string | null {
  return rules.find((rule) => contains(rule.range, address))?.reason ?? null;
}

function contains([network, bits]: Range, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}
