import { constants, createCipheriv, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto';
import { allowedFieldsOf, BASIC_ALLOWED_FIELDS } from '../catalog/message-body.ts';
import { pickFields } from '../catalog/pick-fields.ts';
import { isWebhookEvent } from '../catalog/webhook-catalog.ts';

const KEY_BYTES = 32;
const IV_BYTES = 16;

/**
 * Data protection: reduces a body to ids, types, statuses, numbers and times. It keeps an allow-list of fields rather
 * than removing known personal ones, so that a new field is protected by default.
 */
export function protectBody(json: string): string {
  const body = JSON.parse(json) as { event?: unknown };
  const { event } = body;
  if (event === undefined) return JSON.stringify(pickFields(body, BASIC_ALLOWED_FIELDS));
  if (typeof event !== 'string' || !isWebhookEvent(event)) throw new Error(`Unknown event ${event}.`);
  return JSON.stringify(pickFields(body, allowedFieldsOf(event)));
}

interface Wrapping {
  encodeData: boolean;
  encryptData: boolean;
}

/** Thrown instead of sending in the clear a body that must be encrypted. */
export class NoPublicKey extends Error {
  override name = 'NoPublicKey';
}

/** Encrypts a body, then encodes it, as far as the settings ask for it. Throws NoPublicKey. */
export function wrapBody(
  json: string,
  { encodeData, encryptData }: Wrapping,
  publicKey: KeyObject | undefined,
): string {
  const body = encryptData ? encrypt(json, publicKey) : json;
  return encodeData ? JSON.stringify({ encodedPayload: Buffer.from(body).toString('base64') }) : body;
}

/** AES-256-CBC under a random key and IV; the key is encrypted with RSA-OAEP (SHA-256). */
function encrypt(json: string, publicKey: KeyObject | undefined): string {
  if (!publicKey) {
    throw new NoPublicKey('The message cannot be encrypted: encryptData is on, and no public key is set.');
  }
  const key = randomBytes(KEY_BYTES);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const encrypted = Buffer.concat([cipher.update(json, 'utf8'), cipher.final()]);
  const encryptedKey = publicEncrypt(
    { key: publicKey, oaepHash: 'sha256', padding: constants.RSA_PKCS1_OAEP_PADDING },
    key,
  );
  return JSON.stringify({
    encryptedData: encrypted.toString('base64'),
    encryptedKey: encryptedKey.toString('base64'),
    iv: iv.toString('base64'),
  });
}
