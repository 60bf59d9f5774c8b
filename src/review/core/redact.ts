import { decoded } from '../../lib/text/decoded.ts';

/** Shorter secrets occur within ordinary words and are not redacted. */
const MIN_SECRET = 6;
export const REMOVED = '[secret removed]';

/** Returns a function that replaces the secrets in a text, also as headers, URLs, JSON and HTML encode them. */
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
    for (const part of [secret, ...secret.split(/\s+/), decoded(secret)]) {
      if (part.length < MIN_SECRET) continue;
      for (const spelling of [part, ...inUrls(part), ...inJson(part), ...inHtml(part), ...inBytes(part)])
        spellings.add(spelling);
    }
  }
  // The longest spelling goes first: if a part of it went first, the rest of it would remain.
  return [...spellings].sort((a, b) => b.length - a.length);
}

function inUrls(text: string): string[] {
  const whole = text.toWellFormed();
  const { search, hash } = new URL(`http://host/?${whole.replaceAll('#', '%23')}#${whole}`);
  const form = new URLSearchParams({ a: whole }).toString().slice(2);
  const spellings = [encodeURIComponent(whole), form, search.slice(1), hash.slice(1)];
  return [...spellings, ...spellings.map((one) => one.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()))];
}

function inJson(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [json, ascii, ascii.replaceAll('/', '\\/')];
}

/** As text, as an attribute, and with all characters that templates escape. */
function inHtml(text: string): string[] {
  const and = text.replaceAll('&', '&amp;');
  const inText = and.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const both = inText.replaceAll('"', '&quot;');
  const quotes = ['&#39;', '&#x27;', '&apos;'].map((quote) => both.replaceAll("'", quote));
  return [inText, both, and.replaceAll('"', '&quot;'), ...quotes];
}

function inBytes(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = bytes.toString('base64');
  return [base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')];
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
