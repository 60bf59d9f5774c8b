import type { Db } from '../../db/tables.ts';
import { hashToken } from '../../lib/crypto.ts';
import type { Scope } from '../../lib/scope.ts';
import { findByApiKeyToken } from '../../store/platform/api-keys.ts';
import type { RateLimit } from '../endpoint.ts';
import { unauthenticated } from './unauthenticated.ts';

const TRIES_PER_MINUTE = 600;

/** Rate limit of older operations that take API key credentials in the body, so that each attempt is read in full. */
export const bodyCredentialsLimit = (name: string): RateLimit => ({
  name,
  perMinute: () => TRIES_PER_MINUTE,
  message: 'Rate limit exceeded. Try again after 1 minute.',
});

/** The API key of credentials in a body. Throws UNAUTHENTICATED if they are wrong. */
export async function keyOfBody(
  db: Db,
  { apiKey, authToken }: { apiKey: string; authToken: string },
): Promise<{ scope: Scope; tokenHash: string }> {
  const tokenHash = hashToken(authToken);
  const scope = await findByApiKeyToken(db, apiKey, tokenHash);
  if (!scope) throw unauthenticated();
  return { scope, tokenHash };
}
