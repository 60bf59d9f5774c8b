import { TOKEN_SCOPES, type TokenScope } from '../../lib/scope.ts';

/** The scopes that a client gets unless it asks for others: it leaves decisions to people. */
export const DEFAULT_SCOPES: readonly TokenScope[] = ['read', 'comment', 'review'];

/** The protected resources below the address of the service, and the scopes that are of use there. */
export const RESOURCES = {
  '': TOKEN_SCOPES,
  '/mcp': TOKEN_SCOPES,
  '/mcp/readonly': ['read'],
} as const satisfies Record<string, readonly TokenScope[]>;

export type ResourcePath = keyof typeof RESOURCES;

/** The path of the resource that an address names (RFC 8707, section 2); undefined if it is none of this service. */
export function resourcePathOf(resource: string, ownAddress: string): ResourcePath | undefined {
  const named = URL.parse(resource);
  const paths = Object.keys(RESOURCES) as ResourcePath[];
  return paths.find((path) => {
    const own = URL.parse(`${ownAddress}${path}`);
    return own !== null && named !== null && withoutSlash(own.href) === withoutSlash(named.href);
  });
}

const withoutSlash = (address: string): string => address.replace(/\/$/, '');
