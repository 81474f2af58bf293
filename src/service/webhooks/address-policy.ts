import { BlockList, isIP } from 'node:net';

/** Says of an IP address, as text, whether webhooks may go there. */
export type AddressPolicy = (address: string) => boolean;

/** Not globally reachable (iana.org/assignments/iana-ipv4-special-registry), multicast, or a relay into something else. */
const REFUSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** All that is handed out to the world. Mapped, NAT64, local and multicast forms lie outside. */
const GLOBAL_V6 = '2000::/3';

/** Inside of it: protocol assignments with Teredo and ORCHID, documentation, 6to4, the former 6bone. */
const REFUSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'];

const refusedV4 = listOf(REFUSED_V4);
const globalV6 = listOf([GLOBAL_V6]);
const refusedV6 = listOf(REFUSED_V6);

/** Public addresses, and those inside `allowCidrs`. */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  // Apart, since a list holds the IPv4-mapped form of an address for the address.
  const allowedV4 = listOf(allowCidrs.filter((cidr) => familyOf(cidr) === 4));
  const allowedV6 = listOf(allowCidrs.filter((cidr) => familyOf(cidr) === 6));
  return (address) => {
    // A zone (`fe80::1%eth0`) says by which of our interfaces: never anything public.
    if (address.includes('%')) return false;
    const family = isIP(address);
    if (family === 4) return allowedV4.check(address, 'ipv4') || !refusedV4.check(address, 'ipv4');
    if (family === 6) return (isV6Only(address) && allowedV6.check(address, 'ipv6')) || isPublicV6(address);
    return false;
  };
}

function isPublicV6(address: string): boolean {
  return globalV6.check(address, 'ipv6') && !refusedV6.check(address, 'ipv6');
}

const mappedV4 = listOf(['::ffff:0:0/96']);

function isV6Only(address: string): boolean {
  return !mappedV4.check(address, 'ipv6');
}

function listOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    list.addSubnet(address, Number(bits), familyOf(cidr) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

function familyOf(cidr: string): number {
  return isIP(cidr.split('/')[0] ?? '');
}
