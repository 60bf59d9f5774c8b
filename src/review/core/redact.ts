/** Shorter ones would be cut out of ordinary words. */
const MIN_SECRET = 6;
export const REMOVED = '[secret removed]';

/** Takes each of the secrets out of a text, also where it is encoded as headers and addresses encode it. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    for (const one of [secret, ...secret.split(/\s+/)]) {
      if (one.length < MIN_SECRET) continue;
      const bytes = Buffer.from(one);
      spellings.add(one);
      spellings.add(encodeURIComponent(one));
      spellings.add(JSON.stringify(one).slice(1, -1));
      spellings.add(bytes.toString('base64'));
      spellings.add(bytes.toString('base64').replace(/=+$/, ''));
      spellings.add(bytes.toString('base64url'));
      spellings.add(bytes.toString('hex'));
    }
  }
  // The longest first, or a part of it would go and leave the rest.
  const ordered = [...spellings].sort((one, other) => other.length - one.length);
  return (text) => ordered.reduce((safe, spelling) => safe.replaceAll(spelling, REMOVED), text);
}

/** A value of JSON with the secrets taken out of every text in it. */
export function redactAll<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((one) => redactAll(one, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redactAll(one, redact)])) as T;
}
