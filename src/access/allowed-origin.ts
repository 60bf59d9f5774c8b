import { matchesDomain } from '../lib/allowed-domain.ts';

/** True if pages of this origin may use a user token: on an allowed domain, or anywhere if no domain is named. */
export function isOriginAllowed(origin: string, allowedDomains: readonly string[]): boolean {
  if (allowedDomains.length === 0) return true;
  const url = URL.parse(origin);
  return url !== null && url.hostname !== '' && allowedDomains.some((domain) => matchesDomain(url, domain));
}

/** The headers of a request that say which page sends it. */
interface PageHeaders {
  origin?: string | undefined;
  host?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
}

/**
 * A sentence if a token that is bound to an origin may not be used by the page of a request. Browsers name the origin in
 * every request except a GET to the page's own origin, as `EventSource` sends it: then its host must be that of the
 * token. Any other request without an origin is refused, so that a token from a page does not work outside of it by
 * mistake. Programs can send any header: the binding stops pages, and not people who steal a token for a program.
 */
export function refusalOfOrigin(bound: string | undefined, headers: PageHeaders): string | undefined {
  if (bound === undefined) return undefined;
  const { origin, host } = headers;
  const isSame =
    origin === undefined
      ? headers['sec-fetch-site'] === 'same-origin' && URL.parse(bound)?.host === host
      : origin === bound;
  if (isSame) return undefined;
  const sent = origin === undefined ? 'this request names no origin' : 'this request is from another';
  return `The token is for pages of ${bound}, and ${sent}.`;
}
