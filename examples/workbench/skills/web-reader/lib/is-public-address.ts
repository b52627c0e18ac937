import { BlockList, isIP } from 'node:net'

/** IPv4 blocks that are not the public internet (RFC 6890 and its registry). */
const CLOSED_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** The one IPv6 block in public use, and the parts of it that lead elsewhere or carry IPv4. */
const OPEN_IPV6 = ['2000::', 3] as const
const CLOSED_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const closed = new BlockList()
for (const [net, prefix] of CLOSED_IPV4) closed.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of CLOSED_IPV6) closed.addSubnet(net, prefix, 'ipv6')
const open = new BlockList()
open.addSubnet(...OPEN_IPV6, 'ipv6')

/**
 * Whether an IP address belongs to the public internet. IPv4 written inside IPv6 counts as not
 * public, whatever it says: no public page needs it, and it is how guards are walked around.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closed.check(address, 'ipv4')
    case 6:
      return open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
    default:
      return false
  }
}
