import type { WebhookMessage } from './webhook-messages.ts';

export type * from './webhook-messages.ts';

/** A message that is not from the service, is too old, or cannot be read. Answer it with 401. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

export interface UnwrapOptions {
  /** The private key for encrypted messages, as PEM in the form of PKCS #8. */
  privateKey?: string | undefined;
  /** How far the clock of the sender may differ; 5 minutes by default. */
  toleranceSeconds?: number | undefined;
}

type HeaderValues = Headers | Record<string, string | readonly string[] | undefined>;
type Bytes = Uint8Array<ArrayBuffer>;

const TOLERANCE_SECONDS = 5 * 60;

/**
 * Verifies a message, decodes and decrypts it. `body` must be the bytes as received: JSON that was parsed and written
 * again has another signature. Several secrets are accepted while they are being replaced. A message may arrive more than
 * once: `webhookId` tells which ones you know already.
 */
export async function unwrap(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeaderValues,
  secret: string | readonly string[],
  options: UnwrapOptions = {},
): Promise<WebhookMessage> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  await verify(bytes, headers, [secret].flat(), options.toleranceSeconds ?? TOLERANCE_SECONDS);
  return (await open(new TextDecoder().decode(bytes), options.privateKey)) as WebhookMessage;
}

async function verify(
  body: Bytes,
  headers: HeaderValues,
  secrets: readonly string[],
  toleranceSeconds: number,
): Promise<void> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > toleranceSeconds) {
    throw new WebhookError('The message is too old, or from the future.');
  }
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  for (const secret of secrets) {
    const key = await importSecret(secret);
    for (const signature of signatures.split(' ')) {
      const [version, encoded = ''] = signature.split(',');
      const given = version === 'v1' ? bytesOf(encoded) : undefined;
      // WebCrypto compares in constant time.
      if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return;
    }
  }
  throw new WebhookError('The signature is wrong.');
}

function headerOf(headers: HeaderValues, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([other]) => other.toLowerCase() === name);
  return [found?.[1] ?? ''].flat().join(' ');
}

function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes?.length)
    throw new TypeError('A secret of an endpoint begins with "whsec_" and continues in base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

interface Body {
  encodedPayload?: unknown;
  encryptedData?: unknown;
  encryptedKey?: unknown;
  iv?: unknown;
}

async function open(text: string, privateKey: string | undefined): Promise<unknown> {
  const body = JSON.parse(text) as Body;
  if (typeof body.encodedPayload === 'string') {
    return await open(new TextDecoder().decode(required(body.encodedPayload)), privateKey);
  }
  if (typeof body.encryptedData !== 'string') return body;
  if (privateKey === undefined) throw new TypeError('The message is encrypted: pass the privateKey.');
  const pair = await crypto.subtle.importKey(
    'pkcs8',
    derOf(privateKey),
    { name: 'RSA-OAEP', hash: 'SHA-256' },
    false,
    ['decrypt'],
  );
  const raw = await crypto.subtle.decrypt({ name: 'RSA-OAEP' }, pair, required(body.encryptedKey));
  const key = await crypto.subtle.importKey('raw', raw, 'AES-CBC', false, ['decrypt']);
  const plain = await crypto.subtle.decrypt(
    { name: 'AES-CBC', iv: required(body.iv) },
    key,
    required(body.encryptedData),
  );
  return JSON.parse(new TextDecoder().decode(plain));
}

function derOf(pem: string): Bytes {
  const [, label, base64 = ''] = /-----BEGIN ([A-Z ]+)-----([\s\S]+?)-----END/.exec(pem) ?? [];
  if (label !== 'PRIVATE KEY') {
    throw new TypeError(
      'privateKey must be PEM in the form of PKCS #8: "openssl pkcs8 -topk8 -nocrypt" converts others.',
    );
  }
  return required(base64.replaceAll(/\s/g, ''));
}

function required(base64: unknown): Bytes {
  const bytes = bytesOf(String(base64));
  if (!bytes) throw new WebhookError('The message is malformed.');
  return bytes;
}

function bytesOf(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
