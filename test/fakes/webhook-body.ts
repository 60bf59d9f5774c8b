import {
  constants,
  createDecipheriv,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto';

/** A key pair of a receiver, with the public key in the format of the API: base64 without PEM armor. */
export function newKeyPair(): { privateKey: KeyObject; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') };
}

interface Wrapped {
  encodedPayload?: string;
  encryptedData?: string;
  encryptedKey?: string;
  iv?: string;
}

/** Decodes and decrypts the body of a webhook with Node's crypto; a plain body is returned unchanged. */
export function openBody(body: string, privateKey?: KeyObject): string {
  const { encodedPayload, encryptedData, encryptedKey, iv } = JSON.parse(body) as Wrapped;
  if (encodedPayload !== undefined) {
    return openBody(Buffer.from(encodedPayload, 'base64').toString('utf8'), privateKey);
  }
  if (encryptedData === undefined || encryptedKey === undefined || iv === undefined) return body;
  if (!privateKey) throw new Error('The body is encrypted, and the receiver has no key.');
  const key = privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(encryptedKey, 'base64'),
  );
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from(iv, 'base64'));
  return Buffer.concat([decipher.update(Buffer.from(encryptedData, 'base64')), decipher.final()]).toString(
    'utf8',
  );
}
