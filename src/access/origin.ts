import { matchesDomain } from '../lib/allowed-domain.ts';

/**
 * Whether a browser on a page of this origin may use a user token: it is on one of the allowed domains or, for
 * `*.example.com`, under it. Where no domain was named, every page may.
 */
export function originAllowed(origin: string, allowedDomains: readonly string[]): boolean {
  if (allowedDomains.length === 0) return true;
  const url = URL.parse(origin);
  return url !== null && url.hostname !== '' && allowedDomains.some((domain) => matchesDomain(url, domain));
}
