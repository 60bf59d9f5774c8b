import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** Internal hosts and addresses that the operator allows, as exemptions from the SSRF guard. */
export interface AllowList {
  /** True if an entry names the host itself; it may then resolve to any address. */
  allowsName(hostname: string, port: number): boolean;
  allowsAddress(address: Ip, port: number): boolean;
  /** True if some address is exempt at this port, so that a name cannot be refused before it is resolved. */
  hasAddresses(port: number): boolean;
}

/**
 * Parses entries such as `host`, `*.host`, `host:8080`, `10.0.0.5`, `[::1]:8080` and `10.0.0.0/8`. Throws on an entry
 * that cannot be read: an exemption that silently has no effect would be noticed too late.
 */
export function parseAllowList(entries: string[]): AllowList {
  const names: { name: string; suffix: boolean; port: number | undefined }[] = [];
  const ranges: { range: [Ip, number]; port: number | undefined }[] = [];

  for (const raw of entries) {
    const entry = raw.trim().toLowerCase();
    if (entry === '') continue;
    if (entry.includes('/')) {
      const range = readOrUndefined(() => ipaddr.parseCIDR(entry));
      if (!range) throw new Error(hostWithinUrl(entry) ?? `Not an address range: ${raw}`);
      ranges.push({ range: [unwrapMapped(range[0]), mappedPrefix(range)], port: undefined });
      continue;
    }
    const { host, port } = splitPort(entry, raw);
    const version = isIP(host);
    if (version !== 0) {
      const ip = unwrapMapped(ipaddr.parse(host));
      ranges.push({ range: [ip, ip.kind() === 'ipv4' ? 32 : 128], port });
      continue;
    }
    const suffix = host.startsWith('*.');
    const name = readOrUndefined(() => new URL(`http://${suffix ? host.slice(2) : host}/`).hostname);
    if (!name || isIP(name) !== 0 || name.includes('*')) throw new Error(`Not a host: ${raw}`);
    names.push({ name: stripTrailingDots(name), suffix, port });
  }

  return {
    hasAddresses: (port) => ranges.some((entry) => entry.port === undefined || entry.port === port),
    allowsName: (hostname, port) =>
      names.some(
        (entry) =>
          (entry.port === undefined || entry.port === port) &&
          (entry.suffix ? hostname.endsWith(`.${entry.name}`) : hostname === entry.name),
      ),
    allowsAddress: (address, port) =>
      ranges.some(
        (entry) =>
          (entry.port === undefined || entry.port === port) &&
          entry.range[0].kind() === address.kind() &&
          address.match(entry.range),
      ),
  };
}

export function unwrapMapped(ip: Ip): Ip {
  return ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip;
}

export const stripTrailingDots = (hostname: string) => hostname.replace(/\.+$/, '');

function mappedPrefix([ip, prefix]: [Ip, number]) {
  if (unwrapMapped(ip) === ip) return prefix;
  if (prefix < 96) throw new Error('A range of mapped addresses needs a prefix of 96 or more');
  return prefix - 96;
}

function splitPort(entry: string, raw: string): { host: string; port: number | undefined } {
  if (isIP(entry) !== 0) return { host: entry, port: undefined };
  const match = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(entry);
  if (!match) throw new Error(`Not a host: ${raw}`);
  const port = match[2] === undefined ? undefined : Number(match[2]);
  if (port !== undefined && (port < 1 || port > 65_535)) throw new Error(`Not a port: ${raw}`);
  return { host: match[1]!.replace(/^\[|\]$/g, ''), port };
}

/** Correction to suggest for an entry that is a URL, or a host with a path. */
function hostWithinUrl(entry: string): string | undefined {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*:\/\/)/.exec(entry) ?? [];
  const host = entry
    .slice(scheme.length)
    .replace(/[/?#].*$/, '')
    .replace(/^.*@/, '');
  if (scheme !== '') return `name the host without ${scheme} and path: ${host}`;
  return isIP(host) === 0 && !/^[\d.:]+$/.test(host) ? `name the host without a path: ${host}` : undefined;
}

function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** An allow list whose entries can be replaced while guards use it. */
export interface AllowedHosts extends AllowList {
  /** Throws if an entry cannot be read, and then keeps the entries it had. */
  replace(entries: string[]): void;
}

export function createAllowedHosts(entries: string[]): AllowedHosts {
  let list = parseAllowList(entries);
  return {
    allowsName: (hostname, port) => list.allowsName(hostname, port),
    allowsAddress: (address, port) => list.allowsAddress(address, port),
    hasAddresses: (port) => list.hasAddresses(port),
    replace(next) {
      list = parseAllowList(next);
    },
  };
}
