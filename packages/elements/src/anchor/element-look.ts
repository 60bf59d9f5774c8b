import { CONTEXT_CHARS, type ElementLook, LOOK_CHARS, singleSpaced } from './anchor.ts';
import { aroundOf, type PageText, spanOf } from './page-text.ts';

/** Attributes by which an element is told from others like it. */
const IDENTITY = [
  'id',
  'href',
  'src',
  'name',
  'for',
  'type',
  'value',
  'alt',
  'title',
  'placeholder',
  'aria-label',
] as const;

const ROLE_OF_TAG: Readonly<Record<string, string>> = {
  a: 'link',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  ul: 'list',
  ol: 'list',
  picture: 'img',
  b: 'strong',
  i: 'em',
};

/** The role that an element has or that its tag stands for. */
export function roleOf(tag: string, attribute: (name: string) => string | null): string {
  const given = attribute('role')?.trim().toLowerCase();
  if (given) return given;
  const isButton = tag === 'input' && /^(button|submit|reset)$/.test(attribute('type') ?? '');
  return isButton ? 'button' : (ROLE_OF_TAG[tag] ?? tag);
}

export const roleOfElement = (element: Element): string =>
  roleOf(element.localName, (name) => element.getAttribute(name));

/** The first words in an element that readers see, and the last ones if it has more. */
export function wordsIn(page: PageText, element: Element): { text: string; end: string } {
  if (!page.elements.has(element)) return { text: '', end: '' };
  const { from, to } = spanOf(page, element);
  const text = page.text.slice(from, Math.min(to, from + LOOK_CHARS)).trim();
  const isLonger = to - from > LOOK_CHARS;
  return { text, end: isLonger ? page.text.slice(to - LOOK_CHARS, to).trim() : '' };
}

const MAX_VALUE = 300;

export function attributesOf(element: Element): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of IDENTITY) {
    const value = element.getAttribute(name)?.trim();
    if (value) kept[name] = value.slice(0, MAX_VALUE);
  }
  return kept;
}

export function lookOf(page: PageText, element: Element): ElementLook {
  const attributes = attributesOf(element);
  const role = roleOfElement(element);
  return {
    role,
    ...wordsIn(page, element),
    attributes,
    ...aroundOf(page, spanOf(page, element), CONTEXT_CHARS),
    total: undefined,
  };
}

/** Their contents are not words of the page. */
const FIELDS = new Set(['select', 'textarea', 'datalist', 'script', 'style']);

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name]!);

/** What an agent's snippet of HTML shows of an element. Read as text, since pages may refuse to parse HTML. */
export function lookOfSnippet(snippet: string): ElementLook | undefined {
  const opening = /^\s*<([a-z][\w-]*)((?:\s+[^\s=>]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?)*)\s*\/?>/i.exec(
    snippet,
  );
  if (!opening) return undefined;
  const given = new Map<string, string>();
  for (const [, name, double, single, bare] of opening[2]!.matchAll(
    /([^\s=>]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g,
  ))
    given.set(name!.toLowerCase(), decoded(double ?? single ?? bare ?? '').trim());
  const attributes: Record<string, string> = {};
  for (const name of IDENTITY) {
    const value = given.get(name);
    if (value) attributes[name] = value.slice(0, MAX_VALUE);
  }
  const inside = snippet.slice(opening[0].length).replace(/<[^>]*>?/g, ' ');
  const tag = opening[1]!.toLowerCase();
  return {
    role: roleOf(tag, (name) => given.get(name) ?? null),
    text: FIELDS.has(tag) ? '' : singleSpaced(decoded(inside)).slice(0, LOOK_CHARS),
    end: '',
    attributes,
    before: undefined,
    after: undefined,
    total: undefined,
  };
}
