import type { Label, PageWords, TextRun } from './page-words.ts';

export interface PageReading {
  words: PageWords;
  /** The text node of each run. */
  nodes: Text[];
  frames: Element[];
}

/**
 * Reads a page in steps, between which pages that people look at can draw. Runs in the page, so it must not refer to
 * anything outside of itself. Joins text as `locateInPage` does, so that both count occurrences alike.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: One function, because the browser gets its source without the module around it.
export function readPageWords(needs: {
  labels: boolean;
  /** Marks and languages of the runs. */
  marks: boolean;
}): Generator<undefined, PageReading, undefined> {
  const MAX_CHARS = 200_000;
  const MAX_LABELS = 500;
  const NODES_PER_STEP = 50;
  const chars: string[] = [];
  const runs: TextRun[] = [];
  const nodes: Text[] = [];
  const labels: Label[] = [];
  const frames: Element[] = [];
  const blocks = new Map<Element, Element | null>();
  const surroundings = new Map<Element, { marks: string[]; lang: string }>();
  const MARKS: [string, string][] = [
    ['code', 'code, pre, kbd, samp, var, tt, xmp, [translate="no"], .notranslate'],
    // Output of machines; samples of code have a class or elements for their syntax.
    ['output', 'samp, pre:not([class]):not(:has(code, kbd, span))'],
    ['quote', 'q, blockquote, cite'],
    ['italic', 'i, em, dfn'],
    ['heading', 'h1, h2, h3, h4, h5, h6, nav, button, th, summary'],
    ['link', 'a'],
    ['field', 'textarea, select, option'],
  ];
  let passage = 0;
  let visited = 0;

  const blockOf = (element: Element | null): Element | null => {
    if (!element) return null;
    const known = blocks.get(element);
    if (known !== undefined) return known;
    const { display } = getComputedStyle(element);
    const block = /^(inline$|contents)/.test(display) ? blockOf(element.parentElement) : element;
    blocks.set(element, block);
    return block;
  };
  const surrounding = (element: Element | null): { marks: string[]; lang: string } => {
    if (!element) return { marks: [], lang: '' };
    const known = surroundings.get(element);
    if (known) return known;
    const root = element.getRootNode();
    const host = root instanceof ShadowRoot ? root.host : null;
    const outer = surrounding(element.parentElement ?? host);
    const own = MARKS.filter(
      ([name, selector]) => !outer.marks.includes(name) && element.matches(selector),
    ).map(([name]) => name);
    const lang = element.getAttribute('lang') ?? outer.lang;
    const answer = { marks: own.length > 0 ? [...outer.marks, ...own] : outer.marks, lang };
    surroundings.set(element, answer);
    return answer;
  };
  const selectorOf = (element: Element): string => {
    const steps: string[] = [];
    for (let node: Element | null = element; node; node = node.parentElement) {
      const id = node.getAttribute('id') ?? '';
      const isKnown = /^[A-Za-z_][\w-]*$/.test(id) && document.querySelectorAll(`#${id}`).length === 1;
      if (isKnown || node === document.body || node === document.documentElement) {
        steps.unshift(isKnown ? `#${id}` : node.localName);
        break;
      }
      const tag = node.localName;
      const alike = [...(node.parentElement?.children ?? [])].filter((other) => other.localName === tag);
      steps.unshift(`${tag}:nth-of-type(${alike.indexOf(node) + 1})`);
    }
    return steps.join(' > ');
  };
  const label = (element: Element, attribute: string, value: string | null) => {
    const text = value?.replace(/\s+/g, ' ').trim();
    if (!text || labels.length >= MAX_LABELS) return;
    const { lang } = surrounding(element);
    labels.push({ text, attribute, lang, selector: selectorOf(element) });
  };
  const readLabels = (element: Element) => {
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    const isButton = element instanceof HTMLInputElement && /^(button|submit|reset)$/.test(element.type);
    for (const name of ['title', 'placeholder', 'aria-label', 'aria-description', 'summary']) {
      if (element.hasAttribute(name)) label(element, name, element.getAttribute(name));
    }
    if (element.hasAttribute('alt')) label(element, 'alt', element.getAttribute('alt'));
    if (isButton) label(element, 'value', element.value);
    else if (isField && element.type !== 'hidden' && element.type !== 'password') {
      label(element, 'value', element.getAttribute('value'));
    }
  };
  const add = (char: string): boolean => {
    // Most characters need no search.
    const isSpace = (char <= ' ' || char > '~') && /\s/.test(char);
    if (isSpace && (chars.length === 0 || chars.at(-1) === ' ')) return false;
    chars.push(isSpace ? ' ' : char);
    return true;
  };
  const visit = function* (from: Node): Generator<undefined, void, undefined> {
    const walker = document.createTreeWalker(from, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    let block: Element | null = null;
    for (let node = walker.nextNode(); node && chars.length < MAX_CHARS; node = walker.nextNode()) {
      visited += 1;
      if (visited % NODES_PER_STEP === 0) yield;
      if (node instanceof Element) {
        const tag = node.localName;
        if (tag === 'br') passage += 1;
        if (tag === 'iframe' || tag === 'frame') {
          const { width, height } = node.getBoundingClientRect();
          // Frames of a pixel are trackers.
          if (width > 2 && height > 2 && node.checkVisibility({ visibilityProperty: true }))
            frames.push(node);
        }
        if (needs.labels && node.attributes.length > 0 && node.checkVisibility({ visibilityProperty: true }))
          readLabels(node);
        if (node.shadowRoot instanceof ShadowRoot) yield* visit(node.shadowRoot);
        continue;
      }
      const text = node as Text;
      const parent = text.parentElement;
      if (parent && !parent.checkVisibility({ visibilityProperty: true })) continue;
      const ownBlock = blockOf(parent);
      if (ownBlock !== block) {
        add(' ');
        passage += 1;
      }
      block = ownBlock;
      const begin = chars.length;
      for (let at = 0; at < text.data.length; at++) add(text.data[at]!);
      if (chars.length === begin) continue;
      const around = needs.marks ? (parent ?? (text.getRootNode() as ShadowRoot).host ?? null) : null;
      const { marks, lang } = surrounding(around);
      runs.push({ from: begin, to: chars.length, passage, lang, marks });
      nodes.push(text);
    }
  };

  const readAll = function* (): Generator<undefined, PageReading, undefined> {
    const body = document.body ?? document.documentElement;
    if (body) yield* visit(body);
    const lang = document.documentElement?.getAttribute('lang') ?? '';
    if (needs.labels) label(document.documentElement, 'document title', document.title);
    return { words: { lang, text: chars.join(''), runs, labels }, nodes, frames };
  };
  return readAll();
}
