import { SAMPLE_TIME } from '../../src/webhooks/catalog/webhook-event.ts';

const MOST_ENTRIES = 2;
const MOST_WORDS = 3;
const MOST_TEXT = 400;
const DAY_MS = 86_400_000;

/** A schema in the answer, of which an example shows only the beginning. */
const DEEP = ['schema'];

/** Shortens lists and texts, and rounds numbers. */
function shorten(value: unknown, isDeep = false): unknown {
  if (typeof value === 'string') return value.length > MOST_TEXT ? `${value.slice(0, MOST_TEXT)}…` : value;
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toFixed(3));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== 'object');
    return value.slice(0, isPlain ? MOST_WORDS : MOST_ENTRIES).map((item) => shorten(item, isDeep));
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, isDeep ? 4 : undefined)
      .map(([name, inner]) => [name, shorten(inner, isDeep || DEEP.includes(name))]),
  );
}

const SECRETS: [RegExp, string][] = [
  [/\bwsat_[\w-]{30,}/g, 'wsat_token-of-the-workspace'],
  [/\brpi_[\w-]{30,}/g, 'rpi_code-of-the-invitation'],
  [/\brpc_[\w-]{30,}/g, 'rpc_code-of-the-grant'],
  [/\brpl_[\w-]{30,}/g, 'rpl_code-of-the-link'],
  [/\brp_[\w-]{30,}/g, 'rp_personal-token'],
  [/\bakt_[\w-]{30,}/g, 'akt_token-of-the-api-key'],
  [/\bwhsec_[\w+/=-]{20,}/g, 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludA=='],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJldmUifQ.c2lnbmF0dXJl'],
  [/\bsignature=[\w-]+/g, 'signature=c2lnbmF0dXJl'],
  [/"(kid|x)":"[\w-]{40,}"/g, '"$1":"cHVibGljIGtleSBvZiB0aGUgc2VydmljZQ"'],
  [/"commit":"[0-9a-f]{40}"/g, '"commit":null'],
];

/** A generated id: its random part contains a digit or a capital, unlike words. */
const ID = /\b([a-z]+(?:_[a-z]+)*)_(?:(\d{13})_)?(?=[a-z]*[0-9A-Z])[0-9A-Za-z]{12,24}\b/g;
/** A digest, which stands for an id of the caller. */
const DIGEST = /\b(?:[0-9a-f]{32}|[0-9a-f]{64}|\d{15,17})\b/g;
const TIME = /\b1\d{12}\b|\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** Replaces each distinct match in the order of its first occurrence. */
function renumber(text: string, pattern: RegExp, named: (match: string[], number: number) => string): string {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return text.replaceAll(pattern, (...match) => {
    const [id, kind] = match as string[];
    const known = names.get(id!);
    if (known !== undefined) return known;
    const counted = typeof kind === 'string' ? kind : '';
    const number = (counts.get(counted) ?? 0) + 1;
    counts.set(counted, number);
    const name = named(match as string[], number);
    names.set(id!, name);
    return name;
  });
}

const standIn = ([, kind, time]: string[], number: number): string =>
  time === undefined
    ? `${kind}_${number}a2B3cD4eF5gH6jK7mN8`
    : `${kind}_${SAMPLE_TIME - (number - 1) * DAY_MS}_${number}a2B3cD4eF5g`;

const digest = ([id]: string[], number: number): string =>
  String(number).padStart(2, '0').concat('3a5f7c9e1b2d4f60'.repeat(4)).slice(0, id!.length);

const plainNumber = ([id]: string[], number: number): string =>
  /^\d+$/.test(id!) ? `${number}`.padEnd(id!.length, '24680135') : digest([id!], number);

const millisOf = (time: string): number => (/^\d+$/.test(time) ? Number(time) : Date.parse(time));

/** Moves times near the present to one fixed day, in the same order. */
function moveTimes(text: string, now: number): string {
  const near = (at: number) => Math.abs(at - now) < 200 * DAY_MS;
  const isRecent = (at: number) => Math.abs(at - now) < 600_000;
  const recent = [
    ...new Set([...text.matchAll(TIME)].map(([time]) => millisOf(time)).filter(isRecent)),
  ].sort();
  return text.replaceAll(TIME, (time) => {
    const at = millisOf(time);
    if (!near(at)) return time;
    const distance = isRecent(at) ? recent.indexOf(at) * 1_000 : Math.round((at - now) / 60_000) * 60_000;
    const moved = SAMPLE_TIME + distance;
    return /^\d+$/.test(time) ? String(moved) : new Date(moved).toISOString();
  });
}

/**
 * An answer as an example: without secrets and addresses of this machine, with stable ids and times, and shortened.
 * `own` has what stands for texts of the test.
 */
export function readable(answer: unknown, now: number, own: Readonly<Record<string, string>>): unknown {
  let text = JSON.stringify(answer);
  for (const [from, to] of Object.entries(own)) text = text.replaceAll(from, to);
  for (const [pattern, to] of SECRETS) text = text.replaceAll(pattern, to);
  text = renumber(text, ID, standIn);
  text = renumber(text, DIGEST, plainNumber);
  return shorten(JSON.parse(moveTimes(text, now)));
}

/** The names and types of everything in a value; of a list, the different shapes of its entries. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shapes = new Set(value.map((item) => JSON.stringify(shapeOf(item))));
    return [...shapes].sort();
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, shapeOf((value as Record<string, unknown>)[name])]),
  );
}
