import { constants, createDecipheriv, privateDecrypt } from 'node:crypto';

interface Encrypted {
  encryptedData: string;
  encryptedKey: string;
  iv: string;
}

/** `privateKey` is the PEM of the private half of the key pair. */
export function decrypt({ encryptedData, encryptedKey, iv }: Encrypted, privateKey: string): string {
  // 1. The key of this message, which was encrypted with your public key.
  const key = privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(encryptedKey, 'base64'),
  );
  // 2. The message.
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from(iv, 'base64'));
  const parts = [decipher.update(Buffer.from(encryptedData, 'base64')), decipher.final()];
  return Buffer.concat(parts).toString('utf8');
}
