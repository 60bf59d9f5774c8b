import type { Anchor } from './anchor.ts';
import { type Bag, bagOf, likeness } from './word-likeness.ts';

/** Above so many pairs of one kind the plainly alike are paired first, and the rest only where few enough are left. */
const MAX_PAIRS = 40_000;

interface Prepared {
  index: number;
  anchor: Anchor;
  title: Bag;
  description: Bag;
  target: Bag;
  before: Bag;
  after: Bag;
  snippet: Bag;
  /** The element without what changes with every redesign. */
  element: string;
  /** What tells an element from its neighbours. */
  identity: string;
}

/**
 * Finds the findings of one page again in another review of the same page: for each of `now`, by its index, the
 * index of the one among `before` that it is, if any. Each is given away once, and the likest pairs go first.
 */
export function match(before: readonly Anchor[], now: readonly Anchor[]): Map<number, number> {
  const found = new Map<number, number>();
  const [left, right] = matchSame(before.map(prepared), now.map(prepared), found);
  const ofType = Map.groupBy(left, ({ anchor }) => anchor.issueType);
  for (const [issueType, some] of Map.groupBy(right, ({ anchor }) => anchor.issueType)) {
    const candidates = ofType.get(issueType) ?? [];
    const [earlier, later] = isFew(candidates, some)
      ? [candidates, some]
      : matchPlain(candidates, some, found);
    if (isFew(earlier, later)) matchBest(earlier, later, found);
  }
  return found;
}

const isFew = (one: unknown[], other: unknown[]): boolean => one.length * other.length <= MAX_PAIRS;

/** What did not change at all; answers what is left. */
function matchSame(
  before: Prepared[],
  now: Prepared[],
  found: Map<number, number>,
): [Prepared[], Prepared[]] {
  return pairUp(before, now, found, ({ anchor }) => JSON.stringify(anchor));
}

const matchPlain = (before: Prepared[], now: Prepared[], found: Map<number, number>) =>
  pairUp(before, now, found, ({ anchor, element }) =>
    JSON.stringify([anchor.url, anchor.targetText, element || anchor.selector]),
  );

function pairUp(
  before: Prepared[],
  now: Prepared[],
  found: Map<number, number>,
  keyOf: (one: Prepared) => string,
): [Prepared[], Prepared[]] {
  const byKey = Map.groupBy(before, keyOf);
  const used = new Set<Prepared>();
  const left = now.filter((one) => {
    const same = byKey.get(keyOf(one))?.shift();
    if (!same) return true;
    used.add(same);
    found.set(one.index, same.index);
    return false;
  });
  return [before.filter((one) => !used.has(one)), left];
}

function matchBest(before: Prepared[], now: Prepared[], found: Map<number, number>): void {
  const pairs: { one: Prepared; other: Prepared; score: number }[] = [];
  for (const one of before) {
    for (const other of now) {
      const score = scoreOf(one, other);
      if (score > 0) pairs.push({ one, other, score });
    }
  }
  pairs.sort((a, b) => b.score - a.score);
  const used = new Set<Prepared>();
  for (const { one, other } of pairs) {
    if (used.has(one) || used.has(other)) continue;
    used.add(one).add(other);
    found.set(other.index, one.index);
  }
}

/** How sure it is that both are the same; 0 where they are not. */
function scoreOf(one: Prepared, other: Prepared): number {
  const [a, b] = [one.anchor, other.anchor];
  // Another address is another fault, whatever stands around it.
  if (a.url !== b.url && a.url !== '' && b.url !== '') return 0;
  const sameUrl = a.url !== '' && a.url === b.url;
  const told = Math.max(likeness(one.title, other.title), likeness(one.description, other.description));
  const snippet =
    one.element !== '' && one.element === other.element ? 1 : likeness(one.snippet, other.snippet);
  const around = likeness(one.before, other.before) + likeness(one.after, other.after);
  const target = likenessOfTargets(one, other, told > 0.3 || around > 0.5);
  if (target === 0 && !sameUrl) return 0;
  const isOther = one.identity !== other.identity && one.identity !== '' && other.identity !== '';
  const sameSelector = a.selector !== '' && a.selector === b.selector && !isOther;
  const sameXpath = a.xpath !== '' && a.xpath === b.xpath && !isOther;
  const isPlaceless = [a, b].every((anchor) => !anchor.selector && !anchor.targetText && !anchor.url);
  const isSure =
    sameUrl ||
    (target ?? 0) > 0 ||
    (snippet === 1 && told > 0.3) ||
    (snippet > 0.7 && told > 0.3 && !isOther) ||
    ((sameSelector || sameXpath) && told > 0.3) ||
    (isPlaceless && told > 0.6);
  if (!isSure) return 0;
  return (
    (sameUrl ? 5 : 0) +
    4 * (target ?? 0) +
    (snippet === 1 ? 6 : 2 * snippet) +
    2 * around +
    (sameSelector ? 2 : 0) +
    (sameXpath ? 1 : 0) +
    told -
    Math.min(Math.abs(a.occurrence - b.occurrence), 9) / 10
  );
}

/**
 * Of the words they are about: undefined where one is about none, 0 where they are about different ones. A model may
 * quote more or less of the same passage, which counts where what it says agrees.
 */
function likenessOfTargets(one: Prepared, other: Prepared, agrees: boolean): number | undefined {
  const [a, b] = [one.anchor.targetText, other.anchor.targetText];
  if (a === '' || b === '') return undefined;
  if (a === b) return 1;
  if (a.toLowerCase() === b.toLowerCase()) return 0.9;
  if (agrees && (isWithin(one.target, other.target) || isWithin(other.target, one.target))) return 0.7;
  const alike = likeness(one.target, other.target);
  // Of a few words each one counts; a sentence may lose or gain some.
  const isShort = Math.min(one.target.size, other.target.size) < 4;
  return alike < (isShort ? 0.99 : 0.6) ? 0 : alike * 0.8;
}

const isWithin = (inner: Bag, outer: Bag): boolean =>
  inner.size > 0 && [...inner].every(([word, count]) => count <= (outer.get(word) ?? 0));

const prepared = (anchor: Anchor, index: number): Prepared => ({
  index,
  anchor,
  title: bagOf(anchor.title),
  description: bagOf(anchor.description),
  target: bagOf(anchor.targetText),
  before: bagOf(anchor.before),
  after: bagOf(anchor.after),
  snippet: bagOf(anchor.snippet),
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
