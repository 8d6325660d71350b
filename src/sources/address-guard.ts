// Tells public addresses from loopback, private and link-local ones, so that a URL found in data cannot reach inside.
import { BlockList, isIP } from 'node:net';

export type AddressClass = 'public' | 'loopback' | 'private' | 'link-local' | 'reserved';

const ranges: readonly (readonly [AddressClass, 'ipv4' | 'ipv6', string, number])[] = [
  ['loopback', 'ipv4', '127.0.0.0', 8],
  ['loopback', 'ipv6', '::1', 128],
  ['link-local', 'ipv4', '169.254.0.0', 16],
  ['link-local', 'ipv6', 'fe80::', 10],
  ['private', 'ipv4', '10.0.0.0', 8],
  ['private', 'ipv4', '172.16.0.0', 12],
  ['private', 'ipv4', '192.168.0.0', 16],
  ['private', 'ipv4', '100.64.0.0', 10],
  ['private', 'ipv6', 'fc00::', 7],
  ['reserved', 'ipv4', '0.0.0.0', 8],
  ['reserved', 'ipv4', '192.0.0.0', 24],
  ['reserved', 'ipv4', '192.0.2.0', 24],
  ['reserved', 'ipv4', '198.18.0.0', 15],
  ['reserved', 'ipv4', '198.51.100.0', 24],
  ['reserved', 'ipv4', '203.0.113.0', 24],
  ['reserved', 'ipv4', '224.0.0.0', 3],
  ['reserved', 'ipv6', '::', 128],
  ['reserved', 'ipv6', '2001:db8::', 32],
  ['reserved', 'ipv6', 'fec0::', 10],
  ['reserved', 'ipv6', 'ff00::', 8],
];

const lists = ranges.map(([kind, family, network, prefix]) => {
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return { kind, family, list };
});

/** The class of an IP address (RFC 6890); an IPv4 address wrapped in IPv6 counts as the IPv4 address. */
export function classifyAddress(address: string): AddressClass {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const version = isIP(bare);
  if (version === 0) throw new TypeError(`"${address}" is no IP address`);
  const wrapped = version === 6 ? unwrapIpv4(bare) : undefined;
  if (wrapped !== undefined) return classifyAddress(wrapped);
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return lists.find((entry) => entry.family === family && entry.list.check(bare, family))?.kind ?? 'public';
}

/** IPv4 inside ::ffff:0:0/96 (mapped), 64:ff9b::/96 (NAT64), 2002::/16 (6to4) or ::/96 (compatible). */
function unwrapIpv4(address: string): string | undefined {
  // The URL parser writes every IPv6 address in one normal, all-hexadecimal form.
  const groups = expandIpv6(new URL(`http://[${address}]/`).hostname.slice(1, -1));
  const toIpv4 = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const head = groups.slice(0, 6).join(',');
  const isCompatible = head === '0,0,0,0,0,0' && (groups[6]! > 0 || groups[7]! > 1);
  if (head === '0,0,0,0,0,65535' || head === '100,65435,0,0,0,0' || isCompatible) return toIpv4(groups[6]!, groups[7]!);
  return groups[0] === 0x2002 ? toIpv4(groups[1]!, groups[2]!) : undefined;
}

function expandIpv6(address: string): number[] {
  const [left = '', right] = address.split('::');
  const parse = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const head = parse(left);
  const tail = right === undefined ? [] : parse(right);
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
