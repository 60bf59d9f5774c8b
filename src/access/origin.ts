/**
 * Whether a browser on a page of this origin may use a user token: its host is one of the allowed domains or,
 * for `*.example.com`, lies under it. Where no domain was named, every page may.
 */
export function originAllowed(origin: string, allowedDomains: readonly string[]): boolean {
  if (allowedDomains.length === 0) return true;
  const host = URL.parse(origin)?.hostname.replace(/^www\./, '');
  if (!host) return false;
  return allowedDomains.some((domain) =>
    domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain.replace(/:\d+$/, ''),
  );
}
