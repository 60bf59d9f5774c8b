import { parse as parseHost } from 'tldts';

/**
 * Parts of an allowed domain: an optional scheme, an optional `*.`, a host and an optional port, such as
 * `https://*.example.com:8443`.
 */
const PARTS = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?(.+?)(?::(\d{1,5}))?$/;

/** Normalizes a URL or host to an allowed domain, without `www.` and path. Undefined if it is not a valid one. */
export function readDomain(text: string): string | undefined {
  const rest = text
    .trim()
    .toLowerCase()
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/s, (_, scheme = '', host: string) => {
      return scheme + host.replace(/[/?#].*$/s, '');
    });
  const [, scheme, wildcard = '', name = '', port] = PARTS.exec(rest) ?? [];
  if (!/^(\[[^\s\]]+\]|[^\s@*\\:]+):?$/.test(name)) return undefined;
  const hostname = URL.parse(`http://${name}`)?.hostname;
  if (!hostname || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined;
  return `${scheme ? `${scheme}://` : ''}${wildcard}${bareHost(hostname)}${port ? `:${Number(port)}` : ''}`;
}

/** An allowed domain as results show it: without its scheme. */
export const showDomain = (domain: string): string => domain.replace(/^[a-z][a-z0-9+.-]*:\/\//, '');

/** Allowed domains as results show them. Those that differ only in their scheme appear once. */
export const showDomains = (domains: readonly string[]): string[] => [...new Set(domains.map(showDomain))];

/** The reason why a domain is too broad, as a predicate; undefined if it is not. */
export function tooBroad(domain: string): string | undefined {
  const [, , wildcard, hostname = ''] = PARTS.exec(domain) ?? [];
  // The opaque origin of all sandboxed frames, local files and data URLs.
  if (hostname === 'null') return 'must not be the opaque origin null, which any page can have';
  if (wildcard === undefined) return undefined;
  const { isIp, isIcann, isPrivate, publicSuffix } = parseHost(hostname, { allowPrivateDomains: true });
  if (isIp) return 'must not be a wildcard over an IP address';
  return (isIcann || isPrivate) && publicSuffix === hostname
    ? 'must not be a wildcard over a public suffix, under which anybody can have a domain'
    : undefined;
}

/** True if an origin matches an allowed domain, including its scheme and port if the domain has them. */
export function matchesDomain(origin: URL, domain: string): boolean {
  const [, scheme, wildcard, hostname = '', port] = PARTS.exec(domain) ?? [];
  if (scheme !== undefined && origin.protocol !== `${scheme}:`) return false;
  if (port !== undefined && port !== (origin.port || DEFAULT_PORTS[origin.protocol])) return false;
  const host = bareHost(origin.hostname);
  return wildcard === undefined ? host === hostname : host.endsWith(`.${hostname}`);
}

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

const bareHost = (hostname: string): string => hostname.replace(/\.$/, '').replace(/^www\.(?=.*\.)/, '');
