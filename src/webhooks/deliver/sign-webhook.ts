import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

interface Signing {
  messageId: string;
  /** Of this try, epoch milliseconds. */
  at: number;
  /** Exactly what is sent. */
  body: string;
  /** `whsec_…`; while a secret is being replaced, the old one too. Without any there is no signature. */
  secrets: readonly string[];
}

/** The headers of Standard Webhooks; a receiver is content with a signature by any of the secrets. */
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

/** Reading a key costs four times as much as signing with it; one is kept while whoever signs keeps its secrets. */
const known = new WeakMap<readonly string[], KeyObject[]>();

function keysOf(secrets: readonly string[]): KeyObject[] {
  const keys = known.get(secrets) ?? secrets.map(keyOf);
  known.set(secrets, keys);
  return keys;
}

function keyOf(secret: string): KeyObject {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined) throw new Error('A webhook secret is whsec_ and base64.');
  return createSecretKey(Buffer.from(encoded, 'base64'));
}
