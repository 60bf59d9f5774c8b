import type { Connection } from '../connection.ts';
import type { User } from '../operations.ts';
import { type Claims, claimsOf } from '../user-token.ts';

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

/** The present identity of a connection. Tokens of the same user and rights have the same one. */
export async function identify({ base, options, tokens }: Connection): Promise<Identity> {
  const token = await tokens?.get();
  const claims = claimsOf(token ?? '');
  // The other claims change when a token is renewed. A token that cannot be read stands for itself.
  const { iat, exp, nbf, jti, ...lasting }: Claims =
    claims ?? ({ sub: token, aud: options.apiKey } as Claims);
  const { aud, sub, name, email } = lasting;
  return {
    token,
    owner: JSON.stringify([base, aud, sub]),
    rights: JSON.stringify([base, lasting]),
    user: claims && ({ userId: textOf(sub), name: textOf(name), email: textOf(email) } as User),
  };
}

/** The letters of a claim, whose bytes have been read one by one. */
const textOf = (claim: string | undefined): string | undefined =>
  claim && new TextDecoder().decode(Uint8Array.from(claim, (char) => char.charCodeAt(0)));
