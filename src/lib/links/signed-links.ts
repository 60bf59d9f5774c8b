import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../crypto.ts';
import type { Fields } from '../json.ts';

const purposes = [
  'original',
  'markdown',
  'upload',
  'artifact',
  'attachment',
  'attachment-upload',
  'report',
] as const;
/** Permission that a link grants to its holder. */
export type LinkPurpose = (typeof purposes)[number];

/** Purpose of the key that signs links; links of all kinds share it. */
const PURPOSE = 'knowledge links';

const isPurpose = (text: unknown): text is LinkPurpose => (purposes as readonly unknown[]).includes(text);

export interface LinkTarget {
  apiKeyId: string;
  /** Id of a source, an upload, an artifact of a run, an attachment, or a review or run with its report. */
  id: string;
  purpose: LinkPurpose;
}

export const LINK_MS = 15 * 60_000;
/** The message for a link that is not accepted, whatever the cause. */
export const LINK_REFUSED = 'The link is not valid, or has expired.';

/** Links to shown files are the same within a step, so that a browser shows a picture from its cache. */
const STEP_MS = 15 * 60_000;
const STEPS_VALID = 4;

/** The end of a link to a shown file, in 45 to 60 minutes. */
export const shownLinkEnd = (now = Date.now()): number => (Math.floor(now / STEP_MS) + STEPS_VALID) * STEP_MS;

/** Query string of a signed link, valid until `expiresAt` in epoch milliseconds. */
export const signedQuery = (keyring: Keyring, target: LinkTarget, expiresAt: number): string =>
  new URLSearchParams({
    key: target.apiKeyId,
    purpose: target.purpose,
    expires: String(expiresAt),
    signature: signatureOf(keyring.derive(PURPOSE), target, expiresAt),
  }).toString();

/** The target of a link; undefined if the signature is wrong or the link has expired. */
export function readLink(
  keyring: Keyring,
  id: string,
  query: Fields,
  now = Date.now(),
): LinkTarget | undefined {
  const { key, purpose, expires, signature } = query;
  if (typeof key !== 'string' || typeof expires !== 'string' || typeof signature !== 'string')
    return undefined;
  if (!isPurpose(purpose)) return undefined;
  if (!/^\d{1,15}$/.test(expires)) return undefined;
  const target: LinkTarget = { apiKeyId: key, id, purpose };
  const actual = Buffer.from(signature);
  const isGenuine = keyring.deriveAll(PURPOSE).some((key) => {
    const expected = Buffer.from(signatureOf(key, target, Number(expires)));
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
  return isGenuine && Number(expires) > now ? target : undefined;
}

const signatureOf = (key: Buffer, { apiKeyId, id, purpose }: LinkTarget, expiresAt: number): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([apiKeyId, id, purpose, expiresAt]))
    .digest('base64url');
