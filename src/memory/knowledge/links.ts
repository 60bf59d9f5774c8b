import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../lib/crypto.ts';

/** What a link gives to whoever holds it. */
export type LinkPurpose = 'original' | 'markdown' | 'upload';

export interface LinkTarget {
  apiKeyId: string;
  /** A source, or an upload. */
  id: string;
  purpose: LinkPurpose;
}

export const LINK_MS = 15 * 60_000;

/** The query of a link that holds until a moment in epoch milliseconds, for whoever has it. */
export const signedQuery = (keyring: Keyring, target: LinkTarget, expiresAt: number): string =>
  new URLSearchParams({
    key: target.apiKeyId,
    purpose: target.purpose,
    expires: String(expiresAt),
    signature: signatureOf(keyring, target, expiresAt),
  }).toString();

/** What a link is for; undefined where it was not made by this service, was changed, or holds no longer. */
export function readLink(
  keyring: Keyring,
  id: string,
  query: Record<string, unknown>,
  now = Date.now(),
): LinkTarget | undefined {
  const { key, purpose, expires, signature } = query;
  if (typeof key !== 'string' || typeof expires !== 'string' || typeof signature !== 'string')
    return undefined;
  if (purpose !== 'original' && purpose !== 'markdown' && purpose !== 'upload') return undefined;
  if (!/^\d{1,15}$/.test(expires)) return undefined;
  const target: LinkTarget = { apiKeyId: key, id, purpose };
  const expected = Buffer.from(signatureOf(keyring, target, Number(expires)));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return Number(expires) > now ? target : undefined;
}

const signatureOf = (keyring: Keyring, { apiKeyId, id, purpose }: LinkTarget, expiresAt: number): string =>
  createHmac('sha256', keyring.derive('knowledge links'))
    .update(JSON.stringify([apiKeyId, id, purpose, expiresAt]))
    .digest('base64url');
