import { constants, createCipheriv, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const IV_BYTES = 16;

interface Wrapping {
  encodeData: boolean;
  encryptData: boolean;
}

/** What was to be encrypted must never leave as it is. */
export class NoPublicKey extends Error {
  override name = 'NoPublicKey';
}

/** The body as it is sent: encrypted first and encoded then, where both are asked for. */
export function wrapBody(
  json: string,
  { encodeData, encryptData }: Wrapping,
  publicKey: KeyObject | undefined,
): string {
  const body = encryptData ? encrypt(json, publicKey) : json;
  return encodeData ? JSON.stringify({ encodedPayload: Buffer.from(body).toString('base64') }) : body;
}

/** AES-256-CBC under a key and IV of this one body; the key goes along under RSA-OAEP with SHA-256. */
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
