import {
  constants,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  X509Certificate,
} from 'node:crypto';

const MIN_BITS = 2_048;
const MAX_BITS = 16_384;
// The largest key takes less than 3,000 characters.
const MAX_LENGTH = 8_192;
const MAX_EXPONENT = 2n ** 64n;

const PEM = /^-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const FORMS = { 'PUBLIC KEY': ['spki'], 'RSA PUBLIC KEY': ['pkcs1'] } as const;

const REFUSALS = {
  length: `publicKey must have at most ${MAX_LENGTH.toLocaleString('en-US')} characters.`,
  unreadable: 'publicKey must be an RSA public key: PEM, or the base64 of its SPKI or PKCS#1 form.',
  private:
    'publicKey must be a public key; this is a private one, which should now be taken as known to others.',
  certificate: 'publicKey must be a public key; this is a certificate.',
  signing: 'publicKey must be an RSA key that can encrypt; RSA-PSS keys can only sign.',
  kind: 'publicKey must be an RSA key.',
  bits: `publicKey must be an RSA key of ${MIN_BITS.toLocaleString('en-US')} to ${MAX_BITS.toLocaleString('en-US')} bits.`,
  exponent: 'publicKey must have an odd public exponent from 3 on, of at most 64 bits.',
  useless: 'publicKey is not a working RSA key: nothing can be encrypted with it.',
};

/**
 * Reads the RSA key that bodies are encrypted with. Throws an Error whose message is meant for the caller and quotes
 * nothing of the key.
 */
export function readPublicKey(text: string): KeyObject {
  if (text.length > MAX_LENGTH) throw new Error(REFUSALS.length);
  const key = parse(text.trim());
  if (key.asymmetricKeyType === 'rsa-pss') throw new Error(REFUSALS.signing);
  if (key.asymmetricKeyType !== 'rsa') throw new Error(REFUSALS.kind);
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_BITS || modulusLength > MAX_BITS) throw new Error(REFUSALS.bits);
  if (publicExponent < 3n || publicExponent % 2n === 0n || publicExponent >= MAX_EXPONENT)
    throw new Error(REFUSALS.exponent);
  // A modulus of the right size may still not be an RSA modulus.
  const probe = { key, oaepHash: 'sha256', padding: constants.RSA_PKCS1_OAEP_PADDING };
  if (!succeeds(() => publicEncrypt(probe, Buffer.alloc(32)))) throw new Error(REFUSALS.useless);
  return key;
}

function parse(text: string): KeyObject {
  if (text.includes('PRIVATE KEY-----')) throw new Error(REFUSALS.private);
  if (text.includes('CERTIFICATE-----')) throw new Error(REFUSALS.certificate);
  const [, label, inner = text] = PEM.exec(text) ?? [];
  const encoded = inner.replace(/\s+/g, '');
  const forms = label === undefined ? Object.values(FORMS).flat() : FORMS[label as keyof typeof FORMS];
  if (!forms || !BASE64.test(encoded)) throw new Error(REFUSALS.unreadable);
  const der = Buffer.from(encoded, 'base64');
  // OpenSSL silently derives the public key from a private one.
  if (isPrivate(der)) throw new Error(REFUSALS.private);
  for (const type of forms) {
    const key = succeeds(() => createPublicKey({ key: der, format: 'der', type }));
    if (key) return key;
  }
  const isCertificate = succeeds(() => new X509Certificate(der)) !== undefined;
  throw new Error(isCertificate ? REFUSALS.certificate : REFUSALS.unreadable);
}

const isPrivate = (der: Buffer): boolean =>
  (['pkcs8', 'pkcs1', 'sec1'] as const).some((type) =>
    succeeds(() => createPrivateKey({ key: der, format: 'der', type })),
  );

function succeeds<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}
