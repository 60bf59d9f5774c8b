import type { Gathered } from '../core/gathered.ts';

/** Where words are looked for that a model says it saw. */
export interface SeenWords {
  /** The words as the page spells them, and how often it has them; undefined where it has them nowhere. */
  find(quote: string): { text: string; count: number } | undefined;
}

/** What a page shows; a quote counts its appearances there, and anywhere else it is merely there. */
const SHOWN = 'web-page-text';
const MAX_COUNT = 1_000;

/**
 * The words of what was gathered; undefined where nothing of it lists the words of the page, or a picture
 * shows some that nothing else lists.
 */
export function seenWords(gathered: readonly Gathered[]): SeenWords | undefined {
  const parts = gathered.filter(({ error }) => error === undefined).flatMap((one) => one.parts);
  const hasWords = gathered.some(
    ({ name, error }) => error === undefined && (name === SHOWN || name === 'web-page-html'),
  );
  if (!hasWords || parts.some((part) => 'image' in part)) return undefined;
  const shown = gathered
    .filter(({ name }) => name === SHOWN)
    .map(({ data }) => (data as { text?: unknown } | undefined)?.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
  const all = parts.map((part) => ('text' in part ? part.text : '')).join('\n');
  let folds: { shown: Folded; all: Folded; plain: Folded } | undefined;
  return {
    find(quote) {
      folds ??= { shown: fold(shown), all: fold(all), plain: fold(withoutTags(all)) };
      const sought = fold(quote).text.trim();
      if (sought === '') return undefined;
      return search(folds.shown, sought) ?? search(folds.all, sought) ?? search(folds.plain, sought);
    },
  };
}

/** A text with everything alike that models spell as they like, and where each unit of it came from. */
interface Folded {
  source: string;
  text: string;
  /** For each unit of `text` the unit of `source` that it stands for. */
  from: Uint32Array;
}

const ALIKE: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '‑': '-',
  '…': '...',
};
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/;

function fold(source: string): Folded {
  const units: string[] = [];
  const from: number[] = [];
  let isSpace = false;
  for (let at = 0; at < source.length; at += 1) {
    const unit = source[at]!;
    if (INVISIBLE.test(unit)) continue;
    const space = /\s/.test(unit);
    if (space && isSpace) continue;
    isSpace = space;
    for (const one of space ? ' ' : (ALIKE[unit] ?? unit.toLowerCase())) {
      // Lower case may be longer than what it comes from.
      units.push(one);
      for (let index = 0; index < one.length; index += 1) from.push(at);
    }
  }
  return { source, text: units.join(''), from: Uint32Array.from(from) };
}

function search({ source, text, from }: Folded, sought: string): { text: string; count: number } | undefined {
  const first = text.indexOf(sought);
  if (first < 0) return undefined;
  let count = 0;
  for (let at = first; at >= 0 && count < MAX_COUNT; at = text.indexOf(sought, at + sought.length))
    count += 1;
  return { text: source.slice(from[first]!, from[first + sought.length - 1]! + 1), count };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const withoutTags = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name]!);
