import ipaddr from 'ipaddr.js';

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, which a client has as a whole.
 * Other text is returned unchanged.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip.split('%')[0]!);
  if (address.kind() === 'ipv4') return address.toString();
  const prefix = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}
