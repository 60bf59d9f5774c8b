import type { Anchor } from './finding-anchor.ts';

/** Above this number of pairs of an issue type only evident matches are searched for, unless few remain after that. */
const MAX_PAIRS = 40_000;

interface Candidate {
  index: number;
  anchor: Anchor;
  title: WordCounts;
  description: WordCounts;
  target: WordCounts;
  before: WordCounts;
  after: WordCounts;
  snippet: WordCounts;
  /** HTML of the element without attributes that change with every redesign. */
  element: string;
  /** Attributes that tell an element from its neighbors. */
  identity: string;
}

/**
 * Recognizes the findings of a page in another review of the same page. Maps indexes of `current` to indexes of
 * `previous`. Each finding is used once; the most similar pairs are matched first.
 */
export function matchAnchors(previous: readonly Anchor[], current: readonly Anchor[]): Map<number, number> {
  const matches = new Map<number, number>();
  const [left, right] = matchIdentical(previous.map(candidateOf), current.map(candidateOf), matches);
  const byType = Map.groupBy(left, ({ anchor }) => anchor.issueType);
  for (const [issueType, ofType] of Map.groupBy(right, ({ anchor }) => anchor.issueType)) {
    const candidates = byType.get(issueType) ?? [];
    const [earlier, later] = areFew(candidates, ofType)
      ? [candidates, ofType]
      : matchEvident(candidates, ofType, matches);
    if (areFew(earlier, later)) matchSimilar(earlier, later, matches);
  }
  return matches;
}

const areFew = (one: unknown[], other: unknown[]): boolean => one.length * other.length <= MAX_PAIRS;

type Unmatched = [previous: Candidate[], current: Candidate[]];

const matchIdentical = (
  previous: Candidate[],
  current: Candidate[],
  matches: Map<number, number>,
): Unmatched => matchByKey(previous, current, matches, ({ anchor }) => JSON.stringify(anchor));

const matchEvident = (previous: Candidate[], current: Candidate[], matches: Map<number, number>): Unmatched =>
  matchByKey(previous, current, matches, ({ anchor, element }) =>
    JSON.stringify([anchor.url, anchor.targetText, element || anchor.selector]),
  );

function matchByKey(
  previous: Candidate[],
  current: Candidate[],
  matches: Map<number, number>,
  keyOf: (candidate: Candidate) => string,
): Unmatched {
  const byKey = Map.groupBy(previous, keyOf);
  const used = new Set<Candidate>();
  const unmatched = current.filter((candidate) => {
    const same = byKey.get(keyOf(candidate))?.shift();
    if (!same) return true;
    used.add(same);
    matches.set(candidate.index, same.index);
    return false;
  });
  return [previous.filter((candidate) => !used.has(candidate)), unmatched];
}

function matchSimilar(previous: Candidate[], current: Candidate[], matches: Map<number, number>): void {
  const pairs: { earlier: Candidate; later: Candidate; score: number }[] = [];
  for (const earlier of previous) {
    for (const later of current) {
      const score = scoreOf(earlier, later);
      if (score > 0) pairs.push({ earlier, later, score });
    }
  }
  pairs.sort((a, b) => b.score - a.score);
  const used = new Set<Candidate>();
  for (const { earlier, later } of pairs) {
    if (used.has(earlier) || used.has(later)) continue;
    used.add(earlier).add(later);
    matches.set(later.index, earlier.index);
  }
}

/** Confidence that two findings are the same; 0 if they are not. */
function scoreOf(one: Candidate, other: Candidate): number {
  const [a, b] = [one.anchor, other.anchor];
  // Different addresses are different faults, even in the same place.
  if (a.url !== b.url && a.url !== '' && b.url !== '') return 0;
  const sameUrl = a.url !== '' && a.url === b.url;
  const wording = Math.max(
    similarity(one.title, other.title),
    similarity(one.description, other.description),
  );
  const snippet =
    one.element !== '' && one.element === other.element ? 1 : similarity(one.snippet, other.snippet);
  const around = similarity(one.before, other.before) + similarity(one.after, other.after);
  const target = targetSimilarity(one, other, wording > 0.3 || around > 0.5);
  if (target === 0 && !sameUrl) return 0;
  const isOther = one.identity !== other.identity && one.identity !== '' && other.identity !== '';
  const sameSelector = a.selector !== '' && a.selector === b.selector && !isOther;
  const sameXpath = a.xpath !== '' && a.xpath === b.xpath && !isOther;
  const isPlaceless = [a, b].every((anchor) => !anchor.selector && !anchor.targetText && !anchor.url);
  const isSure =
    sameUrl ||
    (target ?? 0) > 0 ||
    (snippet === 1 && wording > 0.3) ||
    (snippet > 0.7 && wording > 0.3 && !isOther) ||
    ((sameSelector || sameXpath) && wording > 0.3) ||
    (isPlaceless && wording > 0.6);
  if (!isSure) return 0;
  return (
    (sameUrl ? 5 : 0) +
    4 * (target ?? 0) +
    (snippet === 1 ? 6 : 2 * snippet) +
    2 * around +
    (sameSelector ? 2 : 0) +
    (sameXpath ? 1 : 0) +
    wording -
    Math.min(Math.abs(a.occurrence - b.occurrence), 9) / 10
  );
}

/**
 * Similarity of the quotes: undefined if either finding quotes nothing, 0 for different quotes. A model may quote more
 * or less of the same passage, which counts as a match if the rest of the findings agrees.
 */
function targetSimilarity(one: Candidate, other: Candidate, agrees: boolean): number | undefined {
  const [a, b] = [one.anchor.targetText, other.anchor.targetText];
  if (a === '' || b === '') return undefined;
  if (a === b) return 1;
  if (a.toLowerCase() === b.toLowerCase()) return 0.9;
  if (agrees && (isWithin(one.target, other.target) || isWithin(other.target, one.target))) return 0.7;
  const wordSimilarity = similarity(one.target, other.target);
  // Every word of a short quote counts; a sentence may lose or gain some.
  const isShort = Math.min(one.target.size, other.target.size) < 4;
  return wordSimilarity < (isShort ? 0.99 : 0.6) ? 0 : wordSimilarity * 0.8;
}

const isWithin = (inner: WordCounts, outer: WordCounts): boolean =>
  inner.size > 0 && [...inner].every(([word, count]) => count <= (outer.get(word) ?? 0));

const candidateOf = (anchor: Anchor, index: number): Candidate => ({
  index,
  anchor,
  title: countWords(anchor.title),
  description: countWords(anchor.description),
  target: countWords(anchor.targetText),
  before: countWords(anchor.before),
  after: countWords(anchor.after),
  snippet: countWords(anchor.snippet),
  element: anchor.snippet.replace(/\s(?:class|style|data-[\w-]+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, ''),
  identity: identityOf(anchor.snippet),
});

const identityOf = (snippet: string): string => {
  const tag = /^<[^>]*>/.exec(snippet)?.[0] ?? '';
  const attributes = tag.matchAll(
    /\s(id|name|src|href|for|aria-labelledby)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi,
  );
  return Array.from(attributes, ([, name, value]) => `${name}=${value}`)
    .sort()
    .join(' ');
};

const MAX_CHARS = 600;

/** Bag of words: each word of a text with the number of its occurrences. */
type WordCounts = ReadonlyMap<string, number>;

function countWords(text: string): WordCounts {
  const counts = new Map<string, number>();
  for (const [word] of text
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Sørensen–Dice coefficient of two texts' words, from 0 to 1; 0 for two empty texts. */
function similarity(one: WordCounts, other: WordCounts): number {
  let total = 0;
  let shared = 0;
  for (const [word, count] of one) {
    total += count;
    shared += Math.min(count, other.get(word) ?? 0);
  }
  for (const count of other.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}
