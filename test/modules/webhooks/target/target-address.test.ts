import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AddressGuard } from '../../../../src/kernel/outbound/target-address.js';
import { isRefusal, readTarget } from '../../../../src/kernel/outbound/target-url.js';

const guard = new AddressGuard([]);
const addresses = suite('target addresses');

const DENIED: [string, string][] = [
  ['0.0.0.0', 'this_network'],
  ['0.255.255.255', 'this_network'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'carrier_grade_nat'],
  ['100.127.255.254', 'carrier_grade_nat'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.1.1', 'link_local'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'protocol_assignments'],
  ['192.0.2.1', 'documentation'],
  ['192.31.196.1', 'as112'],
  ['192.52.193.1', 'amt'],
  ['192.88.99.1', '6to4_relay'],
  ['192.168.255.255', 'private'],
  ['192.175.48.6', 'as112'],
  ['198.18.0.1', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['169.254.169.254', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['169.254.170.2', 'metadata'],
  ['192.0.0.192', 'metadata'],
  ['::1', 'loopback'],
  ['::', 'unspecified'],
  ['::ffff:127.0.0.1', 'ipv4_mapped'],
  ['::ffff:8.8.8.8', 'ipv4_mapped'],
  ['::ffff:0:127.0.0.1', 'ipv4_translated'],
  ['::7f00:1', 'ipv4_compatible'],
  ['::127.0.0.1', 'ipv4_mapped'],
  ['64:ff9b::7f00:1', 'nat64'],
  ['64:ff9b:1::a00:1', 'nat64'],
  ['64:ff9b:2::1', 'not_global'],
  ['100::1', 'discard'],
  ['2001::1', 'teredo'],
  ['2001:0:7f00:1::', 'teredo'],
  ['2001:2::1', 'protocol_assignments'],
  ['2001:10::1', 'protocol_assignments'],
  ['2001:20::1', 'protocol_assignments'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4'],
  ['2002:808:808::1', '6to4'],
  ['2620:4f:8000::1', 'as112'],
  ['3fff::1', 'documentation'],
  ['4000::1', 'not_global'],
  ['5f00::1', 'segment_routing'],
  ['fc00::1', 'unique_local'],
  ['fd00::1', 'unique_local'],
  ['fd00:ec2::254', 'metadata'],
  ['fe80::1', 'link_local'],
  ['fe80::1%eth0', 'zone_id'],
  ['2606:4700::1111%1', 'zone_id'],
  ['febf::1', 'link_local'],
  ['fec0::1', 'site_local'],
  ['ff02::1', 'multicast'],
  ['0177.0.0.1', 'not_an_address'],
  ['127.1', 'not_an_address'],
  ['', 'not_an_address'],
  ['example.com', 'not_an_address'],
];

addresses('every special network is denied, by its name', () => {
  for (const [address, reason] of DENIED) assert.is(guard.refusal(address), reason, address);
});

addresses('public addresses pass, including those next to a denied network', () => {
  const open = [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '168.63.129.15',
    '2606:4700::1111',
    '2a00:1450::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '3ffe::1',
    '2003::1',
  ];
  for (const address of open) assert.is(guard.refusal(address), null, address);
});

addresses('an allowed network opens only itself; metadata and wrapped addresses stay closed', () => {
  const selfHosted = new AddressGuard(['10.20.0.0/16', '127.0.0.5', 'fd12:3456::/32', '169.254.0.0/16', '::1']);
  for (const address of ['10.20.255.1', '127.0.0.5', 'fd12:3456:1::1', '169.254.7.7', '::1']) {
    assert.is(selfHosted.refusal(address), null, address);
  }
  for (const address of [
    '10.21.0.1',
    '127.0.0.1',
    'fd12:3457::1',
    '169.254.169.254',
    '::ffff:10.20.0.1',
    '64:ff9b::a14:1',
  ]) {
    assert.ok(selfHosted.refusal(address), address);
  }
  const everything = new AddressGuard(['0.0.0.0/0', '::/0']);
  assert.is(everything.refusal('127.0.0.1'), null);
  for (const address of ['169.254.169.254', 'fd00:ec2::254', '::ffff:127.0.0.1', '2002:7f00:1::', '64:ff9b::7f00:1']) {
    assert.ok(everything.refusal(address), address);
  }
});

addresses('all spellings of a denied literal are one address', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.1',
    '017700000001',
    '127.0.0.1.',
    '0x7f000001.',
    '%31%32%37.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    '0',
    '0.0.0.0',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '[fd00:ec2::254]',
  ];
  for (const host of hosts) assert.match(refusalOf(`http://${host}/`) ?? 'accepted', /^address_/, host);
});

addresses('only complete http and https URLs without credentials on plausible ports are accepted', () => {
  const cases: [string, string][] = [
    ['file:///etc/passwd', 'url_scheme'],
    ['dict://127.0.0.1:11211/', 'url_scheme'],
    ['ws://example.com/', 'url_scheme'],
    ['gopher://example.com/', 'url_scheme'],
    ['javascript:alert(1)', 'url_scheme'],
    ['example.com/hook', 'url_scheme'],
    ['//example.com/', 'url_scheme'],
    ['', 'url_scheme'],
    ['http:example.com', 'url_scheme'],
    [' http://example.com/', 'url_malformed'],
    ['http://exa\tmple.com/', 'url_malformed'],
    ['http://example.com/\r\nx: y', 'url_malformed'],
    ['http://example.com\\@127.0.0.1/', 'url_malformed'],
    ['http://example.com/\u0000', 'url_malformed'],
    ['http://example.com/\ud800', 'url_malformed'],
    ['http://', 'url_malformed'],
    ['http://user:pass@example.com/', 'url_credentials'],
    ['http://example.com@127.0.0.1/', 'url_credentials'],
    ['http://127.0.0.1%2f@example.com/', 'url_credentials'],
    ['http://example.com:22/', 'url_port'],
    ['http://example.com:25/', 'url_port'],
    ['http://example.com:6379/', 'url_port'],
    ['http://example.com:5432/', 'url_port'],
    ['http://example.com:0/', 'url_port'],
    ['http://example.com:-1/', 'url_malformed'],
    ['http://example.com:65536/', 'url_malformed'],
    ['http://1.2.3.4.5/', 'url_malformed'],
    ['http://[fe80::1%25eth0]/', 'url_malformed'],
    ['http://[::1/', 'url_malformed'],
    ['http://a..b/', 'address_bad_name'],
    [`http://${'a'.repeat(64)}.com/`, 'address_bad_name'],
    [`http://example.com/${'a'.repeat(100_000)}`, 'url_too_long'],
  ];
  for (const [url, reason] of cases) assert.is(refusalOf(url), reason, url.slice(0, 60));
});

addresses('a target keeps its path and query, loses the fragment, and knows its default port', () => {
  assert.equal(readTarget('HTTPS://Example.com/a/../b?c=d#e', guard), {
    href: 'https://example.com/b?c=d#e',
    origin: 'https://example.com',
    protocol: 'https:',
    host: 'example.com',
    port: 443,
    path: '/b?c=d',
    isLiteral: false,
  });
  const literal = readTarget('http://[2606:4700::1111]:8080', guard);
  assert.equal(isRefusal(literal) ? null : [literal.host, literal.port, literal.path, literal.isLiteral], [
    '2606:4700::1111',
    8080,
    '/',
    true,
  ]);
});

addresses.run();

function refusalOf(url: string): string | null {
  const result = readTarget(url, guard);
  return isRefusal(result) ? result.reason : null;
}
