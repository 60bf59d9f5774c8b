import type { Db } from '../../db/tables.ts';
import { hashToken } from '../../lib/crypto.ts';
import type { Scope } from '../../lib/scope.ts';
import { findByApiKeyToken } from '../../store/platform/api-keys.ts';
import type { RateLimit } from '../endpoint.ts';
import { unauthenticated } from './unauthenticated.ts';

const A_MINUTE = 600;

/** Of the older operations that take the credentials of an API key in the body, where every try is read whole. */
export const bodyCredentialsLimit = (name: string): RateLimit => ({
  name,
  perMinute: () => A_MINUTE,
  message: 'Rate limit exceeded. Try again after 1 minute.',
});

/** Whose they are; UNAUTHENTICATED where they are wrong. */
export async function keyOfBody(
  db: Db,
  { apiKey, authToken }: { apiKey: string; authToken: string },
): Promise<{ scope: Scope; tokenHash: string }> {
  const tokenHash = hashToken(authToken);
  const scope = await findByApiKeyToken(db, apiKey, tokenHash);
  if (!scope) throw unauthenticated();
  return { scope, tokenHash };
}
