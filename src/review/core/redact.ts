/** Shorter secrets occur within ordinary words and are not redacted. */
const MIN_SECRET = 6;
export const REMOVED = '[secret removed]';

/** Returns a function that replaces the secrets in a text, also as headers, URLs and JSON encode them. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  return growingRedactor(secrets).redact;
}

/** A redactor that takes further secrets, which a run learns while it goes on. */
export function growingRedactor(secrets: readonly string[]) {
  const all = new Set(secrets);
  let ordered = spellingsOf(all);
  return {
    redact: (text: string): string =>
      ordered.reduce((safe, spelling) => safe.replaceAll(spelling, REMOVED), text),
    learn(more: readonly string[]): void {
      for (const secret of more) all.add(secret);
      ordered = spellingsOf(all);
    },
  };
}

function spellingsOf(secrets: Iterable<string>): string[] {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    for (const part of [secret, ...secret.split(/\s+/)]) {
      if (part.length < MIN_SECRET) continue;
      const bytes = Buffer.from(part);
      spellings.add(part);
      spellings.add(encodeURIComponent(part));
      spellings.add(JSON.stringify(part).slice(1, -1));
      spellings.add(bytes.toString('base64'));
      spellings.add(bytes.toString('base64').replace(/=+$/, ''));
      spellings.add(bytes.toString('base64url'));
      spellings.add(bytes.toString('hex'));
    }
  }
  // The longest spelling goes first: if a part of it went first, the rest of it would remain.
  return [...spellings].sort((a, b) => b.length - a.length);
}

/** Redacts every string within a JSON value. Other objects, such as bytes, are left as they are. */
export function redactAll<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item) => redactAll(item, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactAll(item, redact)])) as T;
}
