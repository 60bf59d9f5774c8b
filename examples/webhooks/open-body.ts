import { decrypt } from './decrypt.ts';

/** The message in a body of any format, once its signature is verified. */
export function openBody(body: string, privateKey?: string): Record<string, unknown> {
  const parsed = JSON.parse(body);
  if (typeof parsed.encodedPayload === 'string') {
    return openBody(Buffer.from(parsed.encodedPayload, 'base64').toString('utf8'), privateKey);
  }
  if (typeof parsed.encryptedData === 'string') {
    if (!privateKey) throw new Error('The message is encrypted, and there is no private key to decrypt it.');
    return JSON.parse(decrypt(parsed, privateKey));
  }
  return parsed;
}
