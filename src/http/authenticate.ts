import type { IncomingHttpHeaders } from 'node:http';
import type { Db } from '../db/tables.ts';
import { hashToken } from '../lib/crypto.ts';
import { ApiError } from '../lib/errors.ts';
import { findByApiKeyToken } from '../store/api-keys.ts';
import { findByWorkspaceToken } from '../store/workspaces.ts';
import type { Auth } from './endpoint.ts';

export type Caller = { workspaceId: string; apiKeyId?: string };

export interface Authenticator {
  authenticate(headers: IncomingHttpHeaders, level: Auth): Promise<Caller | undefined>;
  /** Drops what is known of a key or workspace. */
  forget(id: string): void;
  forgetAll(): void;
}

// A notice that a token was revoked may be lost with its connection; this bounds how long that matters.
const KNOWN_FOR_MS = 10_000;
const MAX_KNOWN = 10_000;

/**
 * Tells who asks. A credential that proved right is remembered for a short while, since looking it up
 * costs as much as a small read; a wrong one never is.
 */
export function createAuthenticator(db: Db): Authenticator {
  const known = new Map<string, { id: string; caller: Caller; until: number }>();
  let generation = 0;

  const lookUp = async (level: 'workspace' | 'apiKey', id: string, token: string): Promise<Caller> => {
    const tokenHash = hashToken(token);
    const key = `${level}:${tokenHash}:${id}`;
    const remembered = known.get(key);
    if (remembered && remembered.until > Date.now()) return remembered.caller;
    const begunIn = generation;
    const caller =
      level === 'apiKey'
        ? await findByApiKeyToken(db, id, tokenHash)
        : await findByWorkspaceToken(db, id, tokenHash);
    if (!caller) throw unauthenticated();
    // A revocation that came while the row was read must win over the row.
    if (begunIn === generation) {
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(key, { id, caller, until: Date.now() + KNOWN_FOR_MS });
    }
    return caller;
  };

  return {
    async authenticate(headers, level) {
      if (level === 'public') return undefined;
      const [idHeader, tokenHeader] =
        level === 'apiKey'
          ? (['x-service-api-key', 'x-service-auth-token'] as const)
          : (['x-service-workspace-id', 'x-service-workspace-auth-token'] as const);
      const id = headers[idHeader];
      const token = headers[tokenHeader];
      if (typeof id !== 'string' || typeof token !== 'string') throw unauthenticated();
      if (id === '' || token === '' || id.length > 200 || token.length > 500) throw unauthenticated();
      return await lookUp(level, id, token);
    },
    forget(id) {
      generation += 1;
      for (const [key, value] of known) if (value.id === id) known.delete(key);
    },
    forgetAll() {
      generation += 1;
      known.clear();
    },
  };
}

/** One message for every cause, so that it does not help to guess. */
export const unauthenticated = (): ApiError =>
  new ApiError('UNAUTHENTICATED', 'Invalid or missing credentials.');
