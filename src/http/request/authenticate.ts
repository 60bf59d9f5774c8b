import type { IncomingHttpHeaders } from 'node:http';
import { originAllowed } from '../../access/origin.ts';
import { authTokenIdOf, type UserTokens } from '../../access/user-token.ts';
import type { Db } from '../../db/tables.ts';
import { hashToken } from '../../lib/crypto.ts';
import { ApiError, permissionDenied } from '../../lib/errors.ts';
import type { Caller, Scope, TokenUser } from '../../lib/scope.ts';
import { findByApiKeyToken, findTokensOf } from '../../store/platform/api-keys.ts';
import { findByWorkspaceToken } from '../../store/platform/workspaces.ts';
import type { Auth } from '../endpoint.ts';
import { type Level, OF_LEVEL, takes, unauthenticated } from './unauthenticated.ts';

/** Who asks, as far as the kind of credentials tells. */
export type Known = { workspaceId: string } & Partial<Omit<Caller, 'workspaceId'>> & { authTokenId?: string };

export interface Authenticator {
  /** `onUnknown` is called before credentials are looked up that were not right a moment ago, and may throw. */
  authenticate(headers: IncomingHttpHeaders, level: Auth, onUnknown?: () => void): Promise<Known | undefined>;
  /** Who a user token is of, for a page of this origin; `onUnknown` as above. */
  authenticateUser(
    token: string,
    origin: string | undefined,
    onUnknown?: () => void,
  ): Promise<{ scope: Scope; user: TokenUser }>;
  /** Drops what is known of a key or workspace. */
  forget(id: string): void;
  forgetAll(): void;
}

// A notice that a token was revoked may be lost with its connection; this bounds how long that matters.
const KNOWN_FOR_MS = 10_000;
const MAX_KNOWN = 10_000;
const MAX_USER_TOKEN_LENGTH = 60_000;

interface Remembered {
  /** The key or workspace with which it goes. */
  id: string;
  known: Known;
  /** Origins that may use it; none: all. */
  domains: string[];
}

/**
 * Tells who asks. A credential that proved right is remembered for a short while, since looking it up
 * costs as much as a small read; a wrong one never is.
 */
export function createAuthenticator(db: Db, userTokens: UserTokens): Authenticator {
  const remembered = new Map<string, Remembered & { until: number }>();
  let generation = 0;

  const remember = async (
    key: string,
    level: Auth,
    lookUp: () => Promise<(Remembered & { expiresAt?: number }) | undefined>,
    onUnknown?: () => void,
  ): Promise<Remembered> => {
    const before = remembered.get(key);
    if (before && before.until > Date.now()) return before;
    // What was right a while ago is no stranger's guess, and must not be refused for what strangers do.
    if (!before) onUnknown?.();
    const begunIn = generation;
    const found = await lookUp();
    if (!found) {
      remembered.delete(key);
      throw unauthenticated(level);
    }
    const until = Math.min(Date.now() + KNOWN_FOR_MS, found.expiresAt ?? Number.POSITIVE_INFINITY);
    // A revocation that came while the row was read must win over the row.
    if (begunIn === generation) {
      if (remembered.size >= MAX_KNOWN) remembered.clear();
      remembered.set(key, { ...found, until });
    }
    return found;
  };

  const byToken = async (
    level: Level,
    headers: IncomingHttpHeaders,
    onUnknown?: () => void,
  ): Promise<Known> => {
    const isWorkspace = level === 'workspace';
    const [idHeader, tokenHeader] = isWorkspace ? OF_LEVEL.workspace : OF_LEVEL.apiKey;
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
    const lookUp = async () => {
      const found = isWorkspace
        ? await findByWorkspaceToken(db, id, tokenHash)
        : await findByApiKeyToken(db, id, tokenHash);
      if (!found) return undefined;
      return {
        id,
        known: isWorkspace ? found : { ...found, authTokenId: authTokenIdOf(tokenHash) },
        domains: [],
      };
    };
    const { known } = await remember(
      `${isWorkspace ? 'workspace' : 'apiKey'}:${tokenHash}:${id}`,
      level,
      lookUp,
      onUnknown,
    );
    return known;
  };

  const byUserToken = async (
    { authorization, origin }: IncomingHttpHeaders,
    onUnknown?: () => void,
  ): Promise<Known> => {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined || token.length > MAX_USER_TOKEN_LENGTH) {
      throw unauthenticated('apiKeyOrUser', authorization === undefined ? OF_LEVEL.apiKeyOrUser : []);
    }
    const lookUp = async () => {
      const verified = await userTokens.verify(token);
      if (!verified) return undefined;
      const { apiKeyId, authTokenId, user } = verified;
      const key = await findTokensOf(db, apiKeyId);
      if (!key?.tokenHashes.some((hash) => authTokenIdOf(hash) === authTokenId)) return undefined;
      return {
        id: apiKeyId,
        known: { workspaceId: key.workspaceId, apiKeyId, authTokenId, user },
        domains: key.allowedDomains,
        expiresAt: user.expiresAt,
      };
    };
    const { known, domains } = await remember(`user:${hashToken(token)}`, 'apiKeyOrUser', lookUp, onUnknown);
    if (origin !== undefined && !originAllowed(origin, domains)) {
      throw permissionDenied('This origin is not among the allowed domains of the API key.');
    }
    return known;
  };

  /** A user whose token is right is no stranger, and may know why it does not help here. */
  const refuseUser = async (headers: IncomingHttpHeaders, level: Auth, onUnknown?: () => void) => {
    const user = await byUserToken(headers, onUnknown).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 'UNAUTHENTICATED') return undefined;
      throw error;
    });
    if (user) throw permissionDenied(`A user token does not open this operation. ${takes(level)}`);
  };

  return {
    async authenticate(headers, level, onUnknown) {
      if (level === 'public') return undefined;
      const asBackend = OF_LEVEL[level === 'workspace' ? 'workspace' : 'apiKey'].some(
        (name) => headers[name] !== undefined,
      );
      if (level === 'apiKeyOrUser' && !asBackend) return await byUserToken(headers, onUnknown);
      if (!asBackend && headers.authorization !== undefined) await refuseUser(headers, level, onUnknown);
      return await byToken(level, headers, onUnknown);
    },
    async authenticateUser(token, origin, onUnknown) {
      const headers = { authorization: `Bearer ${token}`, ...(origin !== undefined && { origin }) };
      const known = await byUserToken(headers, onUnknown);
      const { workspaceId, apiKeyId, user } = known as Caller;
      return { scope: { workspaceId, apiKeyId }, user: user! };
    },
    forget(id) {
      generation += 1;
      for (const [key, value] of remembered) if (value.id === id) remembered.delete(key);
    },
    forgetAll() {
      generation += 1;
      remembered.clear();
    },
  };
}
