import search from 'approx-string-match';
import { CONTEXT_CHARS, type Quote, singleSpaced } from './anchor.ts';
import { likenessAfter, likenessBefore } from './likeness.ts';
import type { Span } from './page-text.ts';
import { likelyPlaces, type WordIndex } from './word-index.ts';

/** A place that may be that of a quote. */
interface Candidate extends Span {
  /** Likeness of the words before and after, and of the quote itself. */
  before: number;
  after: number;
  likeness: number;
  /** It lies in the only element that the selector names. */
  isInElement: boolean;
}

const ALIKE = 0.85;
const SAME_SURROUNDINGS = 0.6;
const SAME = 0.9;
const MUCH_THE_SAME = 0.8;
const LEAD = 0.1;
/** Quotes of this length are hardly twice on a page by accident. */
const LONG = 30;
/** Those of this length often are. */
const SHORT = 12;
/** So many places of a frequent word are compared in full. */
const MOST_COMPARED = 24;

/** All places of words in a text, counted as agents count. */
export function placesOf(text: string, words: string): number[] {
  const starts: number[] = [];
  if (words === '') return starts;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) starts.push(at);
  return starts;
}

const hasContext = ({ before, after }: Quote): boolean => before !== '' || after !== '';

function compared(
  text: string,
  quote: Quote,
  span: Span,
  element: Span | undefined,
  likeness: number,
): Candidate {
  const [before, after] = [quote.before, quote.after];
  const chars = Math.ceil(1.2 * Math.max(CONTEXT_CHARS, before.length, after.length)) + 2;
  return {
    ...span,
    likeness,
    before: likenessBefore(before, text.slice(Math.max(0, span.from - chars), span.from)),
    after: likenessAfter(after, text.slice(span.to, span.to + chars)),
    isInElement: element !== undefined && element.from <= span.from && span.to <= element.to,
  };
}

const supportOf = ({ before, after, isInElement }: Candidate): number =>
  before + after + (isInElement ? 0.3 : 0);
const agreesOnBoth = ({ before, after }: Candidate): boolean =>
  before >= SAME_SURROUNDINGS && after >= SAME_SURROUNDINGS;
const agreesOnOne = ({ before, after }: Candidate): boolean =>
  before >= SAME_SURROUNDINGS || after >= SAME_SURROUNDINGS;

const agreesWell = ({ before, after }: Candidate): boolean => Math.max(before, after) >= SAME;
const agreesWellOnBoth = ({ before, after }: Candidate): boolean => Math.min(before, after) >= MUCH_THE_SAME;

/** How many characters next to a place are the same as those that were kept: quick, to choose what to compare. */
function nearness(text: string, at: number, end: number, { before, after }: Quote): number {
  let count = 0;
  const tail = text.slice(Math.max(0, at - CONTEXT_CHARS), at).trimEnd();
  while (count < before.length && before.at(-1 - count) === tail.at(-1 - count)) count += 1;
  const head = text.slice(end, end + CONTEXT_CHARS).trimStart();
  let more = 0;
  while (more < after.length && after[more] === head[more]) more += 1;
  return count + more;
}

/** The place of the words as they are quoted. */
export function findExact(text: string, quote: Quote, element: Span | undefined): Span | undefined {
  const words = singleSpaced(quote.text);
  const starts = placesOf(text, words);
  if (starts.length === 0) return undefined;
  const spanAt = (from: number): Span => ({ from, to: from + words.length });
  const named = starts[quote.occurrence - 1];
  if (!hasContext(quote))
    return named === undefined || starts.length > 1
      ? namedIn(starts.map(spanAt), quote, element)
      : spanAt(named);
  const few =
    starts.length <= MOST_COMPARED
      ? starts
      : starts
          .map((at) => ({ at, near: nearness(text, at, at + words.length, quote) }))
          .sort((a, b) => b.near - a.near)
          .slice(0, MOST_COMPARED)
          .map(({ at }) => at);
  const candidates = few
    .map((at) => compared(text, quote, spanAt(at), element, 1))
    .sort((a, b) => supportOf(b) - supportOf(a) || a.from - b.from);
  return chooseExact(candidates, quote, starts, named);
}

/** Without the words around it, only the number of the quote, or its element, tells its places apart. */
function namedIn(spans: Span[], { occurrence, total }: Quote, element: Span | undefined): Span | undefined {
  const inside = element ? spans.filter(({ from, to }) => element.from <= from && to <= element.to) : [];
  if (inside.length === 1) return inside[0];
  return total === undefined || total === spans.length ? spans[occurrence - 1] : undefined;
}

function chooseExact(
  candidates: Candidate[],
  quote: Quote,
  starts: number[],
  named: number | undefined,
): Span | undefined {
  const [best, second] = candidates as [Candidate, Candidate | undefined];
  const isSameNumber = quote.total === starts.length;
  // Some of several places are left: that it is one of them must be plain.
  if (quote.total !== undefined && quote.total > starts.length)
    return agreesWellOnBoth(best) ? best : undefined;
  // An agent's quote does not say how often it was on the page.
  const needed = quote.total === undefined && quote.text.length < SHORT ? MUCH_THE_SAME : SAME_SURROUNDINGS;
  const isBetweenSame = Math.min(best.before, best.after) >= needed;
  if (!second) {
    const isTheOne = quote.total === 1 || (quote.total === undefined && quote.occurrence === 1);
    const isSure =
      isBetweenSame ||
      (best.isInElement && agreesOnOne(best)) ||
      (isTheOne && (agreesOnOne(best) || quote.text.length >= LONG || quote.total === 1));
    return isSure ? best : undefined;
  }
  const ties = candidates.filter((one) => supportOf(one) > supportOf(best) - 2 * LEAD);
  if (ties.length === 1) {
    // A copy may have come between the place and what was next to it, and fit better than the place itself.
    const mayBeCopy = quote.total === undefined ? best.from !== named : quote.total < starts.length;
    if (mayBeCopy && agreesWell(second)) return undefined;
    // Words that were added elsewhere do not matter where only one place has the same neighbors.
    const isOnlyOne = quote.total !== undefined && agreesWell(best) && !agreesWell(second);
    const isSure =
      isBetweenSame ||
      isOnlyOne ||
      (agreesOnOne(best) && (isSameNumber || best.isInElement || best.to - best.from >= LONG));
    return isSure ? best : undefined;
  }
  if (!agreesOnOne(best)) return undefined;
  // Copies of a passage: only their number tells them apart, unless one was added or removed.
  const isKnown = quote.total === undefined || isSameNumber;
  return isKnown ? ties.find(({ from }) => from === named) : undefined;
}

/** The place of words that are like the quoted ones. Takes the text in lower case, and its words. */
export function findAlike(
  lower: string,
  words: WordIndex,
  quote: Quote,
  element: Span | undefined,
): Span | undefined {
  if (!hasContext(quote)) return undefined;
  const wanted: Quote = {
    ...quote,
    text: singleSpaced(quote.text).toLowerCase(),
    before: quote.before.toLowerCase(),
    after: quote.after.toLowerCase(),
  };
  const { text, before, after } = wanted;
  if (text === '') return undefined;
  const maxErrors = Math.floor((1 - ALIKE) * text.length);
  const candidates = new Map<number, Candidate>();
  const offset = before.length + (before === '' ? 0 : 1);
  for (const at of likelyPlaces(words, `${before} ${text} ${after}`)) {
    const from = Math.max(0, at + offset - 40);
    const window = lower.slice(from, at + offset + text.length + 64);
    for (const match of search(window, text, maxErrors)) {
      // Those were looked at already, and are not the place.
      if (match.errors === 0) continue;
      const span = { from: from + match.start, to: from + match.end };
      const likeness = 1 - match.errors / text.length;
      const known = candidates.get(span.from);
      if (!known || known.likeness < likeness)
        candidates.set(span.from, compared(lower, wanted, span, element, likeness));
    }
  }
  const scoreOf = (one: Candidate) => (2 * one.likeness + one.before + one.after) / 4;
  const sorted = [...candidates.values()].sort((a, b) => scoreOf(b) - scoreOf(a));
  const [best] = sorted;
  if (!best || !agreesOnBoth(best)) return undefined;
  const rival = sorted.find(({ from, to }) => from >= best.to || to <= best.from);
  return rival && scoreOf(best) - scoreOf(rival) < LEAD ? undefined : best;
}
