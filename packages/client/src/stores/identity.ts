import type { Connection } from '../connection.ts';
import { RedpenError } from '../errors.ts';
import type { User } from '../operations.ts';
import { type Claims, claimsOf } from '../user-token.ts';

export const OTHER_USER = 'other-user';

/** Says that the token is no longer that of the user for whom something was begun. */
export const otherUser = (): RedpenError =>
  new RedpenError('UNAUTHENTICATED', 'The user has changed.', { code: OTHER_USER });

/** For whom requests are sent. */
export interface Identity {
  token: string | undefined;
  /** The service, its API key, and the user. */
  owner: string;
  /** The same with the rights of the token: what decides about answers. */
  rights: string;
  /** The user of the token. */
  user: User | undefined;
}

const latest = new WeakMap<Connection, Identity>();

/** The last identity of a connection that is known, for when no token can be had. */
export const latestIdentity = (connection: Connection): Identity | undefined => latest.get(connection);

/** The present identity of a connection. Tokens of the same user and rights have the same one. */
export async function identify(connection: Connection): Promise<Identity> {
  const { base, options, tokens } = connection;
  const { session } = options;
  const token = await tokens?.get();
  const claims = claimsOf(token ?? '');
  // The other claims change when a token is renewed. A token that cannot be read stands for itself.
  const { iat, exp, nbf, jti, ...lasting }: Claims =
    claims ?? ({ sub: token ?? session?.user.userId, aud: options.apiKey ?? session?.apiKey } as Claims);
  const { aud, sub, name, email } = lasting;
  const identity = {
    token,
    owner: JSON.stringify([base, aud, sub]),
    rights: JSON.stringify([base, lasting]),
    user: claims
      ? ({ userId: textOf(sub), name: textOf(name), email: textOf(email) } as User)
      : token === undefined
        ? session?.user
        : undefined,
  };
  latest.set(connection, identity);
  return identity;
}

/** The letters of a claim, whose bytes have been read one by one. */
const textOf = (claim: string | undefined): string | undefined =>
  claim && new TextDecoder().decode(Uint8Array.from(claim, (char) => char.charCodeAt(0)));
