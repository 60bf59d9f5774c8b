import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const TOLERANCE_SECONDS = 5 * 60;

/** Throws unless the very bytes that came in were signed with the secret, and lately. */
export function verify(secret: string, headers: IncomingHttpHeaders, body: Buffer): void {
  const id = String(headers['webhook-id'] ?? '');
  const timestamp = String(headers['webhook-timestamp'] ?? '');
  const signatures = String(headers['webhook-signature'] ?? '').split(' ');

  // Or whoever has recorded a message could send it again next year.
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE_SECONDS) throw new Error('The message is not of now.');

  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // There are two while a secret is being replaced.
  const isGenuine = signatures.some((signature) => {
    const [version, encoded = ''] = signature.split(',');
    const given = Buffer.from(encoded, 'base64');
    // In a time that does not tell how much of it was right.
    return version === 'v1' && given.length === signed.length && timingSafeEqual(given, signed);
  });
  if (!isGenuine) throw new Error('The signature is wrong.');
}
