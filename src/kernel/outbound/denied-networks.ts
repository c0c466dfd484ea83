/** A network that deliveries must not reach, with the label shown in the attempt log. */
export interface DeniedNetwork {
  cidr: string;
  reason: string;
}

/**
 * No setting allows these. Cloud metadata and credential services, even if an allowed private range happens to contain
 * one (`fd00::/8`, `169.254.0.0/16`). Networks that embed an IPv4 address in IPv6, because the embedded address would
 * pass unchecked.
 */
export const ALWAYS_DENIED: readonly DeniedNetwork[] = [
  { cidr: '169.254.169.254/32', reason: 'metadata' },
  { cidr: '169.254.170.2/32', reason: 'metadata' },
  { cidr: '169.254.170.23/32', reason: 'metadata' },
  { cidr: '168.63.129.16/32', reason: 'metadata' },
  { cidr: '100.100.100.200/32', reason: 'metadata' },
  { cidr: '192.0.0.192/32', reason: 'metadata' },
  { cidr: 'fd00:ec2::/64', reason: 'metadata' },
  { cidr: 'fd20:ce::254/128', reason: 'metadata' },
  { cidr: '::ffff:0:0/96', reason: 'ipv4_mapped' },
  { cidr: '::ffff:0:0:0/96', reason: 'ipv4_translated' },
  { cidr: '64:ff9b::/96', reason: 'nat64' },
  { cidr: '64:ff9b:1::/48', reason: 'nat64' },
  { cidr: '2001::/32', reason: 'teredo' },
  { cidr: '2002::/16', reason: '6to4' },
];

/** IPv4 special-purpose networks: IANA IPv4 Special-Purpose Address Registry (RFC 6890) and multicast. */
export const DENIED_IPV4: readonly DeniedNetwork[] = [
  { cidr: '0.0.0.0/8', reason: 'this_network' },
  { cidr: '10.0.0.0/8', reason: 'private' },
  { cidr: '100.64.0.0/10', reason: 'carrier_grade_nat' },
  { cidr: '127.0.0.0/8', reason: 'loopback' },
  { cidr: '169.254.0.0/16', reason: 'link_local' },
  { cidr: '172.16.0.0/12', reason: 'private' },
  { cidr: '192.0.0.0/24', reason: 'protocol_assignments' },
  { cidr: '192.0.2.0/24', reason: 'documentation' },
  { cidr: '192.31.196.0/24', reason: 'as112' },
  { cidr: '192.52.193.0/24', reason: 'amt' },
  { cidr: '192.88.99.0/24', reason: '6to4_relay' },
  { cidr: '192.168.0.0/16', reason: 'private' },
  { cidr: '192.175.48.0/24', reason: 'as112' },
  { cidr: '198.18.0.0/15', reason: 'benchmarking' },
  { cidr: '198.51.100.0/24', reason: 'documentation' },
  { cidr: '203.0.113.0/24', reason: 'documentation' },
  { cidr: '224.0.0.0/4', reason: 'multicast' },
  { cidr: '240.0.0.0/4', reason: 'reserved' },
];

/**
 * IPv6: every named network, then everything outside 2000::/3, the only range that IANA assigns for unicast. The first
 * match gives the reason, so narrower networks come first.
 */
export const DENIED_IPV6: readonly DeniedNetwork[] = [
  { cidr: '::1/128', reason: 'loopback' },
  { cidr: '::/128', reason: 'unspecified' },
  { cidr: '::/96', reason: 'ipv4_compatible' },
  { cidr: '100::/64', reason: 'discard' },
  { cidr: '100:0:0:1::/64', reason: 'dummy' },
  { cidr: '2001::/23', reason: 'protocol_assignments' },
  { cidr: '2001:db8::/32', reason: 'documentation' },
  { cidr: '2620:4f:8000::/48', reason: 'as112' },
  { cidr: '3fff::/20', reason: 'documentation' },
  { cidr: '5f00::/16', reason: 'segment_routing' },
  { cidr: 'fc00::/7', reason: 'unique_local' },
  { cidr: 'fe80::/10', reason: 'link_local' },
  { cidr: 'fec0::/10', reason: 'site_local' },
  { cidr: 'ff00::/8', reason: 'multicast' },
  { cidr: '::/3', reason: 'not_global' },
  { cidr: '4000::/2', reason: 'not_global' },
  { cidr: '8000::/1', reason: 'not_global' },
];
