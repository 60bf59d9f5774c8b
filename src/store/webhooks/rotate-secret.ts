import type { Tx } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import type { Scope } from '../../lib/scope.ts';
import { endpointBinding, holdEndpoint, openEndpointSecret } from './endpoints.ts';

/**
 * Gives an endpoint another secret; the one before signs beside it for a while, the one before that no more.
 * With the secret that it has, nothing changes. Answers until when the earlier one signs, or null.
 */
export async function rotateEndpointSecret(
  tx: Tx,
  keyring: Keyring,
  scope: Scope,
  endpointId: string,
  { secret, graceMs }: { secret: string; graceMs: number },
): Promise<number | null> {
  const before = await holdEndpoint(tx, scope, endpointId);
  const { apiKeyId } = scope;
  const now = Date.now();
  const present = openEndpointSecret(keyring, before);
  if (present === secret) return Number(before.previousSecretUntil) > now ? before.previousSecretUntil : null;
  const keepsOld = present !== undefined && graceMs > 0;
  const previousSecretUntil = keepsOld ? now + graceMs : null;
  await tx
    .updateTable('webhookEndpoints')
    .set({
      secretSealed: keyring.seal(secret, endpointBinding(apiKeyId, endpointId, 'secret')),
      previousSecretSealed: keepsOld
        ? keyring.seal(present, endpointBinding(apiKeyId, endpointId, 'previous'))
        : null,
      previousSecretUntil,
      updatedAt: now,
    })
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .execute();
  return previousSecretUntil;
}
