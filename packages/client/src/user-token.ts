import { RedpenError } from './errors.ts';

export interface UserTokenCache {
  get(): Promise<string>;
  /** Forgets this token, or the present one: the service rejected it. */
  drop(token?: string): void;
}

/** The part of its lifetime after which a token is replaced. */
const RENEWED_AT = 0.8;

/** Keeps a token until most of its lifetime is over. Calls at the same time share one request for it. */
export function cacheUserToken(getUserToken: () => string | Promise<string>): UserTokenCache {
  let current: Promise<string> | undefined;
  let known: string | undefined;
  let endsAt = Number.POSITIVE_INFINITY;

  async function ask(): Promise<string> {
    try {
      known = await getUserToken();
      // Such as the page of a proxy with an error: no request can be sent with it.
      if (!/^[!-~]+$/.test(known)) throw new TypeError('No token.');
      endsAt = lifeOf(known)?.renewsAt ?? Number.POSITIVE_INFINITY;
      return known;
    } catch (cause) {
      throw new RedpenError('UNAUTHENTICATED', 'getUserToken failed.', { cause });
    }
  }

  return {
    get() {
      if (Date.now() >= endsAt) current = undefined;
      if (current) return current;
      // What is rejected from now on is older than the token that is asked for.
      known = undefined;
      endsAt = Number.POSITIVE_INFINITY;
      const asked = ask();
      asked.catch(() => {
        if (current === asked) current = undefined;
      });
      current = asked;
      return asked;
    },
    drop(token = known) {
      if (token !== undefined && token === known) current = undefined;
    },
  };
}

/** When a token is replaced, and its lifetime, in milliseconds. One that cannot be read is kept until it is rejected. */
export function lifeOf(token: string): { renewsAt: number; lifetimeMs: number } | undefined {
  const decoded = claimsOf(token);
  if (typeof decoded?.exp !== 'number') return undefined;
  const from = decoded.iat ?? Date.now() / 1_000;
  const lifetime = decoded.exp - from;
  return { renewsAt: (from + RENEWED_AT * lifetime) * 1_000, lifetimeMs: lifetime * 1_000 };
}

export interface Claims {
  aud?: string;
  sub?: string;
  name?: string;
  email?: string;
  iat?: number;
  exp?: number;
  nbf?: number;
  jti?: string;
}

/** What a token says, with garbled letters beyond ASCII; undefined if it cannot be read. */
export function claimsOf(token: string): Claims | undefined {
  try {
    return JSON.parse(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))) as Claims;
  } catch {
    return undefined;
  }
}
