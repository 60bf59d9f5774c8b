import { isLoopbackHost } from '../../outside/oauth/client-documents.ts';

/** True for a redirect URI of a program on the computer of its user (RFC 8252, section 7.3). */
export const isLoopbackRedirect = (uri: string): boolean => {
  const url = URL.parse(uri);
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname);
};

/** The problem with a redirect URI, whatever its client registered, as the end of a sentence. */
export function problemOfRedirect(uri: string): string | undefined {
  const url = /^[\x21-\x7e]+$/.test(uri) ? URL.parse(uri) : null;
  if (!url) return 'must be an address';
  if (url.protocol !== 'https:' && !isLoopbackRedirect(uri)) {
    return 'must be an address with https, or with http on this computer, such as http://127.0.0.1:3000/callback';
  }
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  return undefined;
}

/** True if a client has registered a redirect URI: the very same, but with any port on loopback (RFC 8252, section 7.3). */
export const isRegistered = (uri: string, registered: readonly string[]): boolean =>
  registered.includes(uri) ||
  (isLoopbackRedirect(uri) &&
    registered.some((one) => isLoopbackRedirect(one) && withoutPort(one) === withoutPort(uri)));

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}

/** A redirect URI with the parameters of an answer added to the query that it has. */
export function answerUrl(redirectUri: string, answer: Record<string, string | undefined>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) added.set(name, value);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`;
}
