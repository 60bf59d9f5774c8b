import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { invalidArgument, permissionDenied } from '../../lib/errors.ts';
import type { Auth } from '../endpoint.ts';
import { createKnownHosts } from './known-host.ts';
import { createOwnAddress, type OwnAddress } from './own-address.ts';
import { HEADERS_BY_LEVEL } from './unauthenticated.ts';

/** The credentials of a console request: the token of its session, and the tenant that it names. */
export interface PresentedSession {
  token: string;
  apiKeyId?: string | undefined;
  workspaceId?: string | undefined;
}

/** Reads and guards requests of the console. */
export interface ConsoleGuard {
  /**
   * The session that a request presents for an operation of this level; undefined if it has none, or other credentials.
   * Throws PERMISSION_DENIED for a session in a request that a page of another origin may have caused.
   */
  sessionOf(request: FastifyRequest, level: Auth, headers: IncomingHttpHeaders): PresentedSession | undefined;
  /**
   * Throws PERMISSION_DENIED with the sentence if a page of another origin, or under an unknown host, sends a request that
   * no session authenticates.
   */
  admit(request: FastifyRequest, refusal?: string): void;
  /** The `set-cookie` header that keeps the token of a session, or removes it. */
  cookieOf(request: FastifyRequest, session: { token: string; seconds: number } | undefined): string;
}

const KEY_HEADER = 'x-redpen-key';
const WORKSPACE_HEADER = 'x-redpen-workspace';
/** Browsers take a cookie of this name only over TLS, for the whole host and from no other host. */
const SECURE_NAME = '__Host-redpen';
const PLAIN_NAME = 'redpen';
const TOKEN = /^rps_[\w-]{43}$/;
const MAX_ID_LENGTH = 200;
/** Headers of credentials that take precedence, so that no cookie changes how they work. */
const OTHERS = [...HEADERS_BY_LEVEL.workspace, ...HEADERS_BY_LEVEL.apiKey];

/** Other schemes than Bearer are those of a proxy in front, which browsers repeat with every request. */
const hasOthers = (headers: IncomingHttpHeaders): boolean =>
  OTHERS.some((name) => headers[name] !== undefined) || /^bearer\b/i.test(headers.authorization ?? '');

export function createConsoleGuard(deps: Pick<Deps, 'settings' | 'log'>): ConsoleGuard {
  const ownAddress = createOwnAddress(deps);
  const requireKnownHost = createKnownHosts(deps);
  const isSecure = (request: FastifyRequest): boolean => ownAddress(request).startsWith('https:');

  return {
    sessionOf(request, level, headers) {
      if (!deps.settings.console || level === 'public') return undefined;
      if (hasOthers(headers)) return undefined;
      const token = cookieIn(request.headers.cookie, isSecure(request) ? SECURE_NAME : PLAIN_NAME);
      if (token === undefined || !TOKEN.test(token)) return undefined;
      requireKnownHost(request);
      requireOwnPage(request, ownAddress);
      return { token, ...tenantOf(request, level) };
    },
    admit(request, refusal) {
      requireKnownHost(request);
      const { origin, 'sec-fetch-site': site } = request.headers;
      // Programs send neither header.
      if (origin !== undefined || site !== undefined) requireOwnPage(request, ownAddress, refusal);
    },
    cookieOf(request, session) {
      const secure = isSecure(request);
      const { token = '', seconds = 0 } = session ?? {};
      return [
        `${secure ? SECURE_NAME : PLAIN_NAME}=${token}`,
        `Max-Age=${seconds}`,
        'Path=/',
        'HttpOnly',
        'SameSite=Strict',
        ...(secure ? ['Secure'] : []),
      ].join('; ');
    },
  };
}

/** The value of the first cookie of a name (RFC 6265, section 5.4). */
function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * Throws unless the request, which names a known host, comes from a page of the service itself. The service may not know the
 * address that the browser has, such as one outside of its container, but the page and the request then name the same.
 *
 * Over plain HTTP, browsers state the origin of a GET only to loopback; there `SameSite=Strict` keeps the cookie from other
 * sites, and a GET changes nothing.
 */
function requireOwnPage(
  request: FastifyRequest,
  ownAddress: OwnAddress,
  refusal = 'A session is only valid in requests of the pages of this service.',
): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin') return;
  if (site === undefined) {
    if (origin === undefined && request.method === 'GET') return;
    const own = [ownAddress(request), `${request.protocol}://${request.host}`];
    if (origin !== undefined && own.some((address) => URL.parse(address)?.origin === origin)) return;
  }
  throw permissionDenied(refusal);
}

/** The tenant that a request names: in a header, or in the query where browsers cannot set headers. */
function tenantOf(request: FastifyRequest, level: Auth): Omit<PresentedSession, 'token'> {
  if (level === 'account') return {};
  if (level === 'workspace')
    return { workspaceId: idIn(request.headers[WORKSPACE_HEADER], WORKSPACE_HEADER) };
  const { key } = request.query as { key?: unknown };
  const named = request.headers[KEY_HEADER] ?? (request.method === 'GET' ? key : undefined);
  return { apiKeyId: idIn(named, KEY_HEADER) };
}

function idIn(value: unknown, header: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_LENGTH) {
    const what = header === KEY_HEADER ? 'API key' : 'workspace';
    throw invalidArgument(
      `The header ${header} must name the ${what} that the request of the console concerns.`,
    );
  }
  return value;
}
