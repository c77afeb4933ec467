import { BlockList, isIP } from 'node:net';

/**
 * Networks that are not part of the public internet: IANA's special-purpose registries (RFC 6890), multicast, and
 * networks that those registries no longer list. (`::ffff:0:0/96` is checked as the IPv4 address in it.)
 */
const SPECIAL_PURPOSE: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  // Formerly relays of 6to4.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Unspecified, loopback, and IPv4 addresses in a form that is no longer used.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  // These may contain any IPv4 address, even a private one: NAT64, Teredo, 6to4.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  // Discard-only and dummy prefixes.
  ['100::', 64],
  ['100:0:0:1::', 64],
  // Protocol assignments, including Teredo and ORCHID.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  // Formerly site-local addresses.
  ['fec0::', 10],
  ['ff00::', 8],
];

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const privateAddresses = new BlockList();
for (const [network, bits] of SPECIAL_PURPOSE) privateAddresses.addSubnet(network, bits, familyOf(network));

/** Returns true if an IP address belongs to this machine, to its network, or to no single machine of the internet. */
export const isPrivateAddress = (address: string): boolean =>
  privateAddresses.check(address, familyOf(address));

/** Returns true if the host in a URL is private as written. Other names are only known after DNS resolution. */
export function namesPrivateHost(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(host) > 0 ? isPrivateAddress(host) : /(^|\.)localhost$/.test(host);
}
