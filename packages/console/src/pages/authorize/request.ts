import type { Operations } from '@redpen/client';

/** The request of an assistant for a token, as the operations take it. Everything in it was written by its client. */
export type AuthorizationRequest = Operations['/v2/oauth/request/get']['data'];

/** Parameters of the authorization endpoint (RFC 6749, section 4.1.1; RFC 7636, section 4.3; RFC 8707, section 2). */
const NAMES = {
  clientId: 'client_id',
  redirectUri: 'redirect_uri',
  responseType: 'response_type',
  codeChallenge: 'code_challenge',
  codeChallengeMethod: 'code_challenge_method',
  scope: 'scope',
  state: 'state',
  resource: 'resource',
} as const satisfies Record<keyof AuthorizationRequest, string>;

/** Reads the query of the page; a string says what is wrong with it. No parameter may be given twice (RFC 6749, section 3.1). */
export function authorizationRequestOf(query: string): AuthorizationRequest | string {
  const read = new URLSearchParams(query);
  const twice = Object.values(NAMES).find((name) => read.getAll(name).length > 1);
  if (twice !== undefined) return `The address has ${twice} more than once.`;
  const { clientId, redirectUri, ...rest } = Object.fromEntries(
    Object.entries(NAMES).flatMap(([field, name]) => {
      const value = read.get(name);
      return value ? [[field, value]] : [];
    }),
  );
  if (!clientId) return 'The address does not say which assistant asks: it has no client_id.';
  if (!redirectUri) return 'The address does not say where the answer goes: it has no redirect_uri.';
  return { clientId, redirectUri, ...rest };
}

/** True for an address of a page, to which the browser may be sent; never for one that would run in this page. */
export const isAddress = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '');
