import { type Anchor, CONTEXT_CHARS, type ElementLook, type FoundBy } from './anchor.ts';
import { attributesOf, roleOfElement, wordsIn } from './element-look.ts';
import { likenessAfter, likenessBefore, likenessOf } from './likeness.ts';
import { aroundOf, type PageText, spanOf } from './page-text.ts';

const ALIKE = 0.85;
/** What a selector names may have changed more. */
const ALIKE_WHERE_NAMED = 0.7;
const SAME_SURROUNDINGS = 0.6;
const MUCH_THE_SAME = 0.8;
const SAME = 0.9;
const LEAD = 0.1;
const OF_ONE_END = 0.95;
/** Words of this length are hardly those of two elements by accident. */
const LONG = 20;
const MOST_COMPARED = 40;

/** The elements of a page by their roles, with their words. */
export type Elements = ReadonlyMap<string, readonly Listed[]>;

interface Listed {
  element: Element;
  text: string;
  end: string;
}

export const rootsOf = (): (Document | ShadowRoot)[] => {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll('*'))
      if (element.shadowRoot instanceof ShadowRoot) roots.push(element.shadowRoot);
  return roots;
};

export function* listElements(
  page: PageText,
  roots: readonly (Document | ShadowRoot)[],
): Generator<undefined, Elements, undefined> {
  const byRole = new Map<string, Listed[]>();
  let count = 0;
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      count += 1;
      if (count % 100 === 0) yield;
      const role = roleOfElement(element);
      const entry = { element, ...wordsIn(page, element) };
      const known = byRole.get(role);
      if (known) known.push(entry);
      else byRole.set(role, [entry]);
    }
  }
  return byRole;
}

/** The only element that a selector names; a selector that names several says nothing. */
function soleBySelector(selector: string, roots: readonly (Document | ShadowRoot)[]): Element | undefined {
  if (selector.trim() === '') return undefined;
  try {
    const found = roots.flatMap((root) => [...root.querySelectorAll(selector)]);
    return found.length === 1 ? found[0] : undefined;
  } catch {
    // Models invent invalid selectors.
    return undefined;
  }
}

function soleByXpath(xpath: string): Element | undefined {
  if (xpath.trim() === '') return undefined;
  try {
    const found = document.evaluate(xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    const [node] = found.snapshotLength === 1 ? [found.snapshotItem(0)] : [];
    if (node instanceof Attr) return node.ownerElement ?? undefined;
    return node instanceof Element ? node : (node?.parentElement ?? undefined);
  } catch {
    return undefined;
  }
}

/** The element that selector and XPath of an anchor name, or one of them. */
export function namedElement(
  { selector, xpath }: Anchor,
  roots: readonly (Document | ShadowRoot)[],
): Element | undefined {
  return soleBySelector(selector, roots) ?? soleByXpath(xpath);
}

interface Candidate {
  element: Element;
  /** Undefined if neither has words. */
  text: number | undefined;
  /** Share of the attributes that are the same; undefined if there are none. */
  attributes: number | undefined;
  hasOtherTarget: boolean;
  before: number | undefined;
  after: number | undefined;
  isNamed: boolean;
}

function attributesAlike(
  look: ElementLook,
  element: Element,
): { share: number | undefined; isOther: boolean } {
  const now = attributesOf(element);
  const names = new Set([...Object.keys(look.attributes), ...Object.keys(now)]);
  if (names.size === 0) return { share: undefined, isOther: false };
  const same = [...names].filter((name) => look.attributes[name] === now[name]).length;
  const differs = (name: string) =>
    look.attributes[name] !== undefined && now[name] !== undefined && look.attributes[name] !== now[name];
  return { share: same / names.size, isOther: differs('href') || differs('src') || differs('for') };
}

/** What is added or removed at one end of a long element leaves its other end as it was. */
function wordsAlike(look: ElementLook, text: string, end: string): number {
  const ofStart = likenessOf(look.text, text);
  if (look.end === '' || ofStart >= ALIKE) return ofStart;
  return Math.max(ofStart, OF_ONE_END * likenessOf(look.end, end || text));
}

function compared(
  page: PageText,
  look: ElementLook,
  { element, text, end }: Listed,
  isNamed: boolean,
): Candidate {
  const { share, isOther } = attributesAlike(look, element);
  const around = aroundOf(page, spanOf(page, element), Math.ceil(1.2 * CONTEXT_CHARS) + 2);
  // A snippet may be cut off anywhere.
  const isSnippet = look.before === undefined;
  const shown = isSnippet ? text.slice(0, Math.max(look.text.length, 1)) : text;
  return {
    element,
    text: look.text === '' && (text === '' || isSnippet) ? undefined : wordsAlike(look, shown, end),
    attributes: share,
    hasOtherTarget: isOther,
    before: look.before === undefined ? undefined : likenessBefore(look.before, around.before),
    after: look.after === undefined ? undefined : likenessAfter(look.after, around.after),
    isNamed,
  };
}

function scoreOf({ text, attributes, before, after, isNamed }: Candidate, look: ElementLook): number {
  const parts: [value: number | undefined, weight: number][] = [
    [text, look.text.length < LONG ? 2 : 3],
    [attributes, 2],
    [before, 1.5],
    [after, 1.5],
  ];
  let [sum, weights] = [0, 0];
  for (const [value, weight] of parts) {
    if (value === undefined) continue;
    sum += value * weight;
    weights += weight;
  }
  return (weights === 0 ? 0 : sum / weights) + (isNamed ? 0.1 : 0);
}

const agreesOnBoth = ({ before, after }: Candidate): boolean =>
  (before ?? 0) >= SAME_SURROUNDINGS && (after ?? 0) >= SAME_SURROUNDINGS;
const agreesOnOne = ({ before, after }: Candidate): boolean =>
  (before ?? 0) >= SAME_SURROUNDINGS || (after ?? 0) >= SAME_SURROUNDINGS;

const agreesWell = ({ before, after }: Candidate): boolean =>
  Math.min(before ?? 0, after ?? 0) >= MUCH_THE_SAME;

const isNearSame = ({ before, after }: Candidate): boolean => Math.max(before ?? 0, after ?? 0) >= SAME;

const isSame = (look: ElementLook, element: Element): boolean => attributesAlike(look, element).share === 1;

/** True if role, words and attributes are those of the element that was kept. */
function isAlike({ text, attributes, hasOtherTarget, isNamed }: Candidate): boolean {
  if (text !== undefined) return text >= (isNamed ? ALIKE_WHERE_NAMED : ALIKE);
  return (attributes === undefined ? isNamed : attributes >= 0.5) && !hasOtherTarget;
}

/** Number of elements that look the same, without regard to their surroundings. */
export const countAlike = (look: ElementLook, elements: Elements): number =>
  (elements.get(look.role) ?? []).filter(
    ({ element, text }) => text === look.text && attributesAlike(look, element).share !== 0,
  ).length;

export function findElement(
  page: PageText,
  look: ElementLook,
  elements: Elements,
  named: Element | undefined,
): { element: Element; by: FoundBy } | undefined {
  const role = look.role || (named && roleOfElement(named)) || '';
  const ofRole = elements.get(role) ?? [];
  const candidates = quickest(ofRole, look, named)
    .map((one) => compared(page, look, one, one.element === named))
    .filter(isAlike)
    .sort((a, b) => scoreOf(b, look) - scoreOf(a, look));
  const [best, second] = candidates;
  if (!best) return undefined;
  const by = best.isNamed ? 'selector' : 'likeness';
  const found = { element: best.element, by } as const;
  const isAhead = !second || scoreOf(best, look) - scoreOf(second, look) >= LEAD;
  if (!isAhead) return undefined;
  const alike = ofRole.filter(({ text }) => text === look.text).length;
  const same = ofRole.filter(({ element, text }) => text === look.text && isSame(look, element)).length;
  // The surroundings of an agent's finding are not known: another element than it names must be unmistakable.
  if (look.before === undefined) {
    const isUnmistakable = alike <= 1 && !best.hasOtherTarget && (same === 1 || look.text.length >= LONG);
    return best.isNamed || isUnmistakable ? found : undefined;
  }
  const isFewer = look.total !== undefined && look.total > Math.max(1, alike);
  const isTwin = isFewer || (look.total !== 1 && !best.isNamed);
  if (isTwin ? agreesWell(best) : agreesOnBoth(best)) return found;
  const isUnique = look.total === 1 && alike <= 1 && !best.hasOtherTarget;
  const isDistinct = look.text.length >= LONG || (best.attributes ?? 0) >= 0.5;
  if (isUnique && isDistinct && (best.text ?? 1) >= ALIKE) return found;
  if (agreesOnOne(best) && (isUnique || look.total === countAlike(look, elements))) return found;
  const isMore = look.total !== undefined && look.total < countAlike(look, elements);
  return isMore && isNearSame(best) && !(second && isNearSame(second)) ? found : undefined;
}

/** Elements that are worth a comparison, since most of a page's are not. */
function quickest(
  ofRole: readonly Listed[],
  look: ElementLook,
  named: Element | undefined,
): readonly Listed[] {
  if (look.text === '') {
    const mayHaveText = look.before === undefined;
    const alike = ofRole.filter(({ element, text }) => element === named || text === '' || mayHaveText);
    return alike.slice(0, 10 * MOST_COMPARED);
  }
  const wanted = new Set(look.text.toLowerCase().split(/\s+/));
  const shareOf = (text: string): number => {
    if (text === look.text) return 2;
    const words = text.toLowerCase().split(/\s+/);
    return words.filter((word) => wanted.has(word)).length / Math.max(words.length, wanted.size);
  };
  return ofRole
    .map((entry) => ({
      entry,
      share:
        entry.element === named ? 3 : look.end !== '' && entry.end === look.end ? 2 : shareOf(entry.text),
    }))
    .filter(({ share }) => share > 0.3 || look.text.length < 12)
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST_COMPARED)
    .map(({ entry }) => entry);
}
