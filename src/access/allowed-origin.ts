import { matchesDomain } from '../lib/allowed-domain.ts';

/** True if pages of this origin may use a user token: on an allowed domain, or anywhere if no domain is named. */
export function isOriginAllowed(origin: string, allowedDomains: readonly string[]): boolean {
  if (allowedDomains.length === 0) return true;
  const url = URL.parse(origin);
  return url !== null && url.hostname !== '' && allowedDomains.some((domain) => matchesDomain(url, domain));
}
