import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/* Parts of IP addresses. */

/** An IPv4 address, or the /64 of an IPv6 one, as a household can use a whole /64. */
export function networkOf(ip: string): string {
  return partOf(ip, 4);
}

/** An IPv4 address, or the /48 of an IPv6 one, of which somebody may have all 65,536 networks. */
export function zoneOf(ip: string): string {
  return partOf(ip, 3);
}

/** An IPv4 address, or the /32 of an IPv6 one: a provider, or whoever has as much as one. */
export function providerOf(ip: string): string {
  return partOf(ip, 2);
}

function partOf(ip: string, words: number): string {
  if (!isIPv6(ip)) return ip;
  // Without the zone, of which the library knows fewer forms; an IPv4 address written as an IPv6 one becomes IPv4.
  const address = ipaddr.process(ip.replace(/%.*/, ''));
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return address.parts
    .slice(0, words)
    .map((part) => part.toString(16))
    .join(':');
}

/** An address shortened for the journal, so that it no longer identifies a household. */
export function shortened(ip: string): string {
  const network = networkOf(ip);
  return network.includes(':')
    ? `${network.split(':').slice(0, 3).join(':')}::`
    : network.replace(/\d+$/, '0');
}
