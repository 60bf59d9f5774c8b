import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const TOLERANCE_SECONDS = 5 * 60;

/** Throws unless these exact bytes were signed with the secret in the last five minutes. */
export function verify(secret: string, headers: IncomingHttpHeaders, body: Buffer): void {
  const id = String(headers['webhook-id'] ?? '');
  const timestamp = String(headers['webhook-timestamp'] ?? '');
  const signatures = String(headers['webhook-signature'] ?? '').split(' ');

  // Otherwise a recorded message could be replayed at any later time.
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE_SECONDS)
    throw new Error('The message is too old or from the future.');

  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // There are two while a secret is being rotated.
  const isGenuine = signatures.some((signature) => {
    const [version, encoded = ''] = signature.split(',');
    const given = Buffer.from(encoded, 'base64');
    // In constant time, so that the duration does not reveal how much of it was right.
    return version === 'v1' && given.length === signed.length && timingSafeEqual(given, signed);
  });
  if (!isGenuine) throw new Error('The signature is wrong.');
}
