import type { ResourcePath } from '../../access/oauth/resources.ts';
import { TOKEN_SCOPES } from '../../lib/scope.ts';
import { defaultScopeOf } from './challenge.ts';

const DOCUMENTATION = '/docs/guides/oauth';

/** The metadata of the authorization server (RFC 8414, section 2). */
export const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/console/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: TOKEN_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}${DOCUMENTATION}`,
});

/**
 * The metadata of a protected resource (RFC 9728, section 2). Its scopes are those that are enough for most work, since clients ask
 * for all of them.
 */
export const resourceMetadata = (issuer: string, path: ResourcePath) => ({
  resource: `${issuer}${path}`,
  authorization_servers: [issuer],
  scopes_supported: defaultScopeOf(path).split(' '),
  bearer_methods_supported: ['header'],
  resource_name: path === '/mcp/readonly' ? 'Redpen (read only)' : 'Redpen',
  resource_documentation: `${issuer}${DOCUMENTATION}`,
});
