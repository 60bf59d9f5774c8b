import { invalidArgument } from '../../lib/errors.ts';
import { TOKEN_SCOPES, type TokenScope } from '../../lib/scope.ts';
import type { ClientDocument, ClientDocuments } from '../../outside/oauth/client-documents.ts';
import type { AuthorizationRequest } from '../../shapes/identity/oauth.ts';
import { answerUrl, isLoopbackRedirect, isRegistered, problemOfRedirect } from './redirect-uri.ts';
import { DEFAULT_SCOPES, RESOURCES, type ResourcePath, resourcePathOf } from './resources.ts';

/** A mistake of which the client learns by a redirect (RFC 6749, section 4.1.2.1; RFC 8707, section 2). */
export interface Refusal {
  error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target';
  message: string;
}

/** An authorization request whose client and redirect URI belong together, so that it may be answered by a redirect. */
export interface CheckedRequest {
  client: ClientDocument;
  redirectUri: string;
  redirectHost: string;
  isLoopback: boolean;
  state: string | undefined;
  /** The code challenge of PKCE; empty in a request that is refused for the lack of one. */
  challenge: string;
  resource: string | undefined;
  /** The scopes that the client asks for. */
  scopes: TokenScope[];
  /** The scopes that may be given for the resource. */
  allowedScopes: TokenScope[];
  refusal: Refusal | undefined;
}

/** An S256 challenge: a SHA-256 hash in base64url (RFC 7636, section 4.2). */
const CHALLENGE = /^[\w-]{43}$/;
/** Scopes of other services that clients ask for out of habit; refresh tokens are given without. */
const HABITUAL = ['openid', 'profile', 'email', 'offline_access'];

/**
 * Checks the client and its redirect URI, and then the rest of an authorization request. Throws INVALID_ARGUMENT if the browser
 * must not be sent to the redirect URI (RFC 6749, section 4.1.2.1).
 */
export async function checkRequest(
  request: AuthorizationRequest,
  clients: ClientDocuments,
  ownAddress: string,
): Promise<CheckedRequest> {
  const { clientId, redirectUri, state, codeChallenge = '', resource } = request;
  const problem = problemOfRedirect(redirectUri);
  if (problem !== undefined) throw invalidArgument(`The redirect_uri ${problem}.`);
  const client = await clients.read(clientId);
  if (!isRegistered(redirectUri, client.redirectUris)) {
    throw invalidArgument('The redirect_uri is none of those in the document of the client.');
  }
  const path = resource === undefined || resource === '' ? '/mcp' : resourcePathOf(resource, ownAddress);
  const asked = (request.scope ?? '').split(' ').filter((name) => name !== '' && !HABITUAL.includes(name));
  const allowedScopes = [...RESOURCES[path ?? '/mcp']];
  const wanted: readonly string[] = asked.length === 0 ? DEFAULT_SCOPES : asked;
  const scopes = TOKEN_SCOPES.filter((scope) => allowedScopes.includes(scope) && wanted.includes(scope));
  return {
    client,
    redirectUri,
    redirectHost: new URL(redirectUri).host,
    isLoopback: isLoopbackRedirect(redirectUri),
    state,
    challenge: codeChallenge,
    resource: path === undefined || !resource ? undefined : `${ownAddress}${path}`,
    scopes,
    allowedScopes,
    refusal: refusalOf(request, path, scopes),
  };
}

function refusalOf(
  { responseType, codeChallenge, codeChallengeMethod }: AuthorizationRequest,
  path: ResourcePath | undefined,
  scopes: readonly TokenScope[],
): Refusal | undefined {
  const refusal = (error: Refusal['error'], message: string): Refusal => ({ error, message });
  if (!responseType) return refusal('invalid_request', 'The response_type is missing.');
  if (responseType !== 'code') {
    return refusal('unsupported_response_type', 'The response_type must be code.');
  }
  if (!codeChallenge) return refusal('invalid_request', 'The code_challenge of PKCE is missing.');
  if (codeChallengeMethod !== 'S256') {
    return refusal('invalid_request', 'The code_challenge_method must be S256.');
  }
  if (!CHALLENGE.test(codeChallenge)) {
    return refusal('invalid_request', 'The code_challenge must be 43 characters of base64url.');
  }
  if (path === undefined) return refusal('invalid_target', 'The resource is none of this service.');
  if (scopes.length === 0) {
    return refusal('invalid_scope', `The scopes of this resource are ${RESOURCES[path].join(', ')}.`);
  }
  return undefined;
}

/** The address that tells a client of a refusal, with the issuer (RFC 9207). */
export const refusalUrl = (
  { redirectUri, state }: CheckedRequest,
  { error, message }: { error: string; message: string },
  issuer: string,
): string => answerUrl(redirectUri, { error, error_description: message, state, iss: issuer });
