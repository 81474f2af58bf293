import { BlockList, isIP } from 'node:net';

/** True for an IP address, as text, that webhooks may go to. */
export type AddressPolicy = (address: string) => boolean;

/** IPv4 ranges that are not globally reachable (iana.org/assignments/iana-ipv4-special-registry), multicast, or relays. */
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

/** Global unicast range of IPv6. Mapped, NAT64, local and multicast addresses lie outside. */
const GLOBAL_V6 = '2000::/3';

/** Refused ranges inside GLOBAL_V6: protocol assignments with Teredo and ORCHID, documentation, 6to4, the former 6bone. */
const REFUSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'];

const refusedV4 = listOf(REFUSED_V4);
const globalV6 = listOf([GLOBAL_V6]);
const refusedV6 = listOf(REFUSED_V6);

/** Allows public addresses, and those inside `allowCidrs`. */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  // One list for each family, because a BlockList takes the IPv4-mapped form of an address for the IPv4 address.
  const allowedV4 = listOf(allowCidrs.filter((cidr) => familyOf(cidr) === 4));
  const allowedV6 = listOf(allowCidrs.filter((cidr) => familyOf(cidr) === 6));
  return (address) => {
    // A zone (`fe80::1%eth0`) names one of this machine's interfaces, so the address is never public.
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
