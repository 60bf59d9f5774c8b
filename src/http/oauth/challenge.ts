import type { FastifyRequest } from 'fastify';
import { DEFAULT_SCOPES, RESOURCES } from '../../access/oauth/resources.ts';
import type { OwnAddress } from '../request/own-address.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The issuer of tokens. A service whose console is turned off issues none. */
    oauthIssuer?: OwnAddress;
  }
}

interface Challenge {
  path: '/mcp' | '/mcp/readonly';
  error?: 'invalid_token' | 'insufficient_scope' | undefined;
  /** The scopes that the request needs, between spaces. By default those that a client gets unless it asks for others. */
  scope?: string | undefined;
}

/** The scopes of a resource that a client gets unless it asks for others, between spaces. */
export const defaultScopeOf = (path: keyof typeof RESOURCES): string =>
  DEFAULT_SCOPES.filter((scope) => (RESOURCES[path] as readonly string[]).includes(scope)).join(' ');

/**
 * The `www-authenticate` of a request to a protected resource without valid credentials, or without a scope (RFC 6750, section
 * 3; RFC 9728, section 5.1). Undefined if the service issues no tokens.
 */
export function challengeOf(
  request: FastifyRequest,
  { path, error, scope = defaultScopeOf(path) }: Challenge,
): string | undefined {
  const issuer = request.server.oauthIssuer?.(request);
  if (issuer === undefined) return undefined;
  const metadata = `${issuer}/.well-known/oauth-protected-resource${path}`;
  return [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${metadata}"`,
    `scope="${scope}"`,
  ]
    .join(', ')
    .replace(/^/, 'Bearer ');
}
