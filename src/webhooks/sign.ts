import { hmacSha256 } from '../lib/crypto.ts';

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
  const signatures = secrets.map((secret) => `v1,${hmacSha256(keyOf(secret), signed).toString('base64')}`);
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}

function keyOf(secret: string): Buffer {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined) throw new Error('A webhook secret is whsec_ and base64.');
  return Buffer.from(encoded, 'base64');
}
