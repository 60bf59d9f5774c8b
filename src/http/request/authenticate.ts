import type { IncomingHttpHeaders } from 'node:http';
import { isOriginAllowed, refusalOfOrigin } from '../../access/allowed-origin.ts';
import { includesRole } from '../../access/member-roles.ts';
import { authTokenIdOf, type UserTokens } from '../../access/user-token.ts';
import type { Db } from '../../db/tables.ts';
import { hashToken } from '../../lib/crypto.ts';
import { ApiError, permissionDenied } from '../../lib/errors.ts';
import type { Caller, Scope, TokenUser } from '../../lib/scope.ts';
import { membershipByKey } from '../../store/identity/members.ts';
import { findByApiKeyToken, findTokensOf } from '../../store/platform/api-keys.ts';
import { findByWorkspaceToken } from '../../store/platform/workspaces.ts';
import type { Auth } from '../endpoint.ts';
import type { Credential, FoundCredential, KnownCaller } from './known-caller.ts';
import { findByPersonalToken, findBySession, isPersonalToken } from './member-credentials.ts';
import type { PresentedSession } from './session-credentials.ts';
import { describeCredentials, HEADERS_BY_LEVEL, type Level, unauthenticated } from './unauthenticated.ts';

export interface Authenticator {
  /**
   * Authenticates a request; undefined for public operations. `onUnknown` is called before credentials that are not
   * cached are looked up, and may throw.
   */
  authenticate(
    headers: IncomingHttpHeaders,
    level: Auth,
    onUnknown?: () => void,
  ): Promise<KnownCaller | undefined>;
  /** Authenticates a user token for a page of an origin; `onUnknown` as above. */
  authenticateUser(
    token: string,
    origin: string | undefined,
    onUnknown?: () => void,
  ): Promise<{ scope: Scope; user: TokenUser }>;
  /** Authenticates a request of the console; `onUnknown` as above. */
  authenticateSession(
    presented: PresentedSession,
    level: Level,
    onUnknown?: () => void,
  ): Promise<KnownCaller>;
  /** Drops cached credentials of a key, workspace, session, account or personal token. */
  forget(id: string): void;
  forgetAll(): void;
}

/** Bounds how long a revoked token stays valid if the notice of its revocation is lost with a connection. */
const CACHED_FOR_MS = 10_000;
const MAX_CACHED = 10_000;
const MAX_USER_TOKEN_LENGTH = 60_000;

type LookUp = () => Promise<FoundCredential | undefined>;

/** Caches credentials that proved valid: a lookup costs as much as a small read. Invalid ones are never cached. */
class CredentialCache {
  readonly #cached = new Map<string, Credential & { until: number }>();
  #generation = 0;

  /** Throws UNAUTHENTICATED if the lookup finds nothing. */
  async get(key: string, level: Auth, lookUp: LookUp, onUnknown?: () => void): Promise<Credential> {
    const before = this.#cached.get(key);
    if (before && before.until > Date.now()) return before;
    // Credentials that were valid recently are not a guess, so the limit on guesses does not apply to them.
    if (!before) onUnknown?.();
    const begunIn = this.#generation;
    const found = await lookUp();
    if (!found) {
      this.#cached.delete(key);
      throw unauthenticated(level);
    }
    const until = Math.min(Date.now() + CACHED_FOR_MS, found.expiresAt ?? Number.POSITIVE_INFINITY);
    // A revocation that arrived during the lookup takes precedence over the row that was read.
    if (begunIn === this.#generation) {
      if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
      this.#cached.set(key, { ...found, until });
    }
    return found;
  }

  forget(id: string): void {
    this.#generation += 1;
    for (const [key, value] of this.#cached) if (value.ids.includes(id)) this.#cached.delete(key);
  }

  forgetAll(): void {
    this.#generation += 1;
    this.#cached.clear();
  }
}

export function createAuthenticator(db: Db, userTokens: UserTokens): Authenticator {
  const cache = new CredentialCache();

  const byUserToken = async (headers: IncomingHttpHeaders, onUnknown?: () => void): Promise<KnownCaller> => {
    const { authorization, origin } = headers;
    const token = bearerOf(headers);
    if (token === undefined || token.length > MAX_USER_TOKEN_LENGTH) {
      throw unauthenticated('apiKeyOrUser', authorization === undefined ? HEADERS_BY_LEVEL.apiKeyOrUser : []);
    }
    const lookUp = () => findUser(db, userTokens, token);
    const { known, domains } = await cache.get(`user:${hashToken(token)}`, 'apiKeyOrUser', lookUp, onUnknown);
    if (origin !== undefined && !isOriginAllowed(origin, domains)) {
      throw permissionDenied('This origin is not among the allowed domains of the API key.');
    }
    const refusal = refusalOfOrigin(known.user?.origin, headers);
    if (refusal !== undefined) throw permissionDenied(refusal);
    return known;
  };

  const byPersonalToken = async (
    token: string,
    level: Level,
    onUnknown?: () => void,
  ): Promise<KnownCaller> => {
    const lookUp = () => findByPersonalToken(db, token);
    const { known } = await cache.get(`personal:${hashToken(token)}`, level, lookUp, onUnknown);
    if (level === 'apiKey' || level === 'apiKeyOrUser') return known;
    throw permissionDenied(`A personal token does not open this operation. ${describeCredentials(level)}`);
  };

  /** Explains to a user with a valid token why it does not help here. Invalid tokens are UNAUTHENTICATED as usual. */
  const refuseUser = async (headers: IncomingHttpHeaders, level: Auth, onUnknown?: () => void) => {
    const user = await byUserToken(headers, onUnknown).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 'UNAUTHENTICATED') return undefined;
      throw error;
    });
    if (user)
      throw permissionDenied(`A user token does not open this operation. ${describeCredentials(level)}`);
  };

  return {
    async authenticate(headers, level, onUnknown) {
      if (level === 'public') return undefined;
      const asBackend = HEADERS_BY_LEVEL[level === 'workspace' ? 'workspace' : 'apiKey'].some(
        (name) => headers[name] !== undefined,
      );
      const token = asBackend ? undefined : bearerOf(headers);
      if (token !== undefined && isPersonalToken(token))
        return await byPersonalToken(token, level, onUnknown);
      if (level === 'apiKeyOrUser' && !asBackend) return await byUserToken(headers, onUnknown);
      if (!asBackend && headers.authorization !== undefined) await refuseUser(headers, level, onUnknown);
      return await byBackendToken(db, cache, headers, level, onUnknown);
    },
    async authenticateUser(token, origin, onUnknown) {
      const headers = { authorization: `Bearer ${token}`, ...(origin !== undefined && { origin }) };
      const known = await byUserToken(headers, onUnknown);
      const { workspaceId, apiKeyId, user } = known as Caller;
      return { scope: { workspaceId, apiKeyId }, user: user! };
    },
    async authenticateSession(presented, level, onUnknown) {
      const { token, apiKeyId, workspaceId } = presented;
      // A caller may send the id of a workspace as that of an API key, which it is not.
      const key = `session:${JSON.stringify([hashToken(token), apiKeyId, workspaceId])}`;
      return (await cache.get(key, level, () => findBySession(db, presented), onUnknown)).known;
    },
    forget: (id) => cache.forget(id),
    forgetAll: () => cache.forgetAll(),
  };
}

const bearerOf = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];

/** Authenticates by the id and token of a workspace or an API key. */
async function byBackendToken(
  db: Db,
  cache: CredentialCache,
  headers: IncomingHttpHeaders,
  level: Level,
  onUnknown?: () => void,
): Promise<KnownCaller> {
  // The console has no such credentials, and its levels take no others.
  if (level === 'account' || level === 'member') throw unauthenticated(level);
  const isWorkspace = level === 'workspace';
  const [idHeader, tokenHeader] = isWorkspace ? HEADERS_BY_LEVEL.workspace : HEADERS_BY_LEVEL.apiKey;
  const id = headers[idHeader];
  const token = headers[tokenHeader];
  if (typeof id !== 'string' || typeof token !== 'string') {
    throw unauthenticated(
      level,
      [idHeader, tokenHeader].filter((name) => headers[name] === undefined),
    );
  }
  if (id === '' || token === '' || id.length > 200 || token.length > 500) throw unauthenticated(level);
  const tokenHash = hashToken(token);
  const lookUp: LookUp = async () => {
    const found = isWorkspace
      ? await findByWorkspaceToken(db, id, tokenHash)
      : await findByApiKeyToken(db, id, tokenHash);
    if (!found) return undefined;
    const { expiresAt, ...scope } = found;
    return {
      ids: [id],
      known: isWorkspace ? scope : { ...(scope as Scope), authTokenId: authTokenIdOf(tokenHash) },
      domains: [],
      expiresAt,
    };
  };
  const cacheKey = `${isWorkspace ? 'workspace' : 'apiKey'}:${tokenHash}:${id}`;
  return (await cache.get(cacheKey, level, lookUp, onUnknown)).known;
}

/**
 * The user of a token whose signature is valid, whose auth token still exists, and whose maker, if it was made in the
 * console, still has the role for it.
 */
async function findUser(db: Db, userTokens: UserTokens, token: string): ReturnType<LookUp> {
  const verified = await userTokens.verify(token);
  if (!verified) return undefined;
  const { apiKeyId, authTokenId, user } = verified;
  const key = await findTokensOf(db, apiKeyId);
  if (!key?.tokenHashes.some((hash) => authTokenIdOf(hash) === authTokenId)) return undefined;
  const { madeBy } = user;
  if (madeBy) {
    const membership = await membershipByKey(db, madeBy.accountId, apiKeyId);
    if (!membership || !includesRole(membership.role, madeBy.role)) return undefined;
  }
  return {
    ids: madeBy ? [apiKeyId, madeBy.accountId] : [apiKeyId],
    known: { workspaceId: key.workspaceId, apiKeyId, authTokenId, user },
    domains: key.allowedDomains,
    expiresAt: user.expiresAt,
  };
}
