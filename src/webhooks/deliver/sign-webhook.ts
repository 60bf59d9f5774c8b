import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/** Base64 after a prefix, as the Standard Webhooks libraries expect it. */
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

interface Signing {
  messageId: string;
  /** Time of this attempt, epoch milliseconds. */
  at: number;
  /** The exact bytes that are sent. */
  body: string;
  /** `whsec_…`; during a rotation the previous secret, too. Without secrets there is no signature. */
  secrets: readonly string[];
}

/** The Standard Webhooks headers, with one signature per secret; receivers accept any of them. */
export function signedHeaders({ messageId, at, body, secrets }: Signing): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signed = `${messageId}.${timestamp}.${body}`;
  const signatures = keysOf(secrets).map(
    (key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}

/** Importing a key costs four times as much as signing, so keys are memoized for as long as their list of secrets lives. */
const keyCache = new WeakMap<readonly string[], KeyObject[]>();

function keysOf(secrets: readonly string[]): KeyObject[] {
  const keys = keyCache.get(secrets) ?? secrets.map(keyOf);
  keyCache.set(secrets, keys);
  return keys;
}

function keyOf(secret: string): KeyObject {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined) throw new Error('A webhook secret must be whsec_ followed by base64.');
  return createSecretKey(Buffer.from(encoded, 'base64'));
}
