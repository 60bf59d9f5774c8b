import type { Gathered } from '../core/gathered.ts';

/** Looks up a model's quotes in the text that the model was sent. */
export interface QuoteLookup {
  /** True if the model was sent pictures too, which may show words that the text lacks. */
  hasPictures: boolean;
  /**
   * The quote in the page's spelling and the number of its occurrences; undefined if the text does not have it. The
   * letter case of the quote wins over another one.
   */
  find(quote: string): { text: string; count: number } | undefined;
}

/** Strategy whose text is searched first, since only in visible text the number of occurrences is meaningful. */
const SHOWN = 'web-page-text';
const MAX_COUNT = 1_000;

/** Indexes the gathered text. Returns undefined if no text of the page was gathered, so that no quote can be verified. */
export function quoteLookup(gathered: readonly Gathered[]): QuoteLookup | undefined {
  const parts = gathered.filter(({ error }) => error === undefined).flatMap((one) => one.parts);
  const hasWords = gathered.some(
    ({ name, error }) => error === undefined && (name === SHOWN || name === 'web-page-html'),
  );
  if (!hasWords) return undefined;
  const shown = gathered
    .filter(({ name }) => name === SHOWN)
    .map(({ data }) => (data as { text?: unknown } | undefined)?.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
  const all = parts.map((part) => ('text' in part ? part.text : '')).join('\n');
  let texts: Folded[] | undefined;
  return {
    hasPictures: parts.some((part) => 'image' in part),
    find(quote) {
      texts ??= [shown, all, withoutTags(all)].flatMap((text) => [fold(text, false), fold(text, true)]);
      for (const text of texts) {
        const needle = fold(quote, text.ignoresCase).text.trim();
        const found = needle === '' ? undefined : search(text, needle);
        if (found) return found;
      }
      return undefined;
    },
  };
}

/** A text without the typographic variants that models do not copy exactly. */
interface Folded {
  ignoresCase: boolean;
  source: string;
  text: string;
  /** For each UTF-16 unit of `text` its index in `source`. */
  from: Uint32Array;
}

const FOLDED: Record<string, string> = {
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

function fold(source: string, ignoresCase: boolean): Folded {
  const units: string[] = [];
  const from: number[] = [];
  let isSpace = false;
  for (let at = 0; at < source.length; at += 1) {
    const unit = source[at]!;
    if (INVISIBLE.test(unit)) continue;
    const space = /\s/.test(unit);
    if (space && isSpace) continue;
    isSpace = space;
    // A folded or lower-case character may be longer than its source.
    for (const folded of space ? ' ' : (FOLDED[unit] ?? (ignoresCase ? unit.toLowerCase() : unit))) {
      units.push(folded);
      for (let index = 0; index < folded.length; index += 1) from.push(at);
    }
  }
  return { ignoresCase, source, text: units.join(''), from: Uint32Array.from(from) };
}

function search({ source, text, from }: Folded, needle: string): { text: string; count: number } | undefined {
  const first = text.indexOf(needle);
  if (first < 0) return undefined;
  let count = 0;
  for (let at = first; at >= 0 && count < MAX_COUNT; at = text.indexOf(needle, at + needle.length))
    count += 1;
  return { text: source.slice(from[first]!, from[first + needle.length - 1]! + 1), count };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const withoutTags = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name]!);
