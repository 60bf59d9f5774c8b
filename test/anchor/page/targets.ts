import type { PageText } from '../../../packages/elements/src/anchor/page-text.ts';
import type { Random } from './random.ts';

/** Words in one text node, which edits keep up to date. */
export interface TextTarget {
  kind: 'text';
  node: Text;
  from: number;
  to: number;
  /** Share of its words that were replaced. */
  changed: number;
}

export interface ElementTarget {
  kind: 'element';
  element: Element;
}

export type Target = TextTarget | ElementTarget;

const POINTED_AT =
  'h1, h2, h3, h4, a[href], button, img, p, li, td, th, dt, dd, input, select, textarea, figure, section, nav, table, ul, ol, pre, blockquote, code, strong, label, form, header, footer';

const WORDS_OF_LENGTHS = [1, 1, 2, 2, 3, 3, 4, 5, 7, 9, 12];

/** Chooses what people would comment on: words, and elements that they see. */
export function chooseTargets(page: PageText, random: Random, texts: number, elements: number): Target[] {
  const targets: Target[] = [];
  const nodes = page.nodes.filter(({ data }) => /\p{L}{2}/u.test(data));
  for (let tries = 0; targets.length < texts && tries < 10 * texts; tries++) {
    const node = random.pick(nodes);
    const target = node && chooseWords(node, random);
    if (target) targets.push(target);
  }
  const seen = [...document.body.querySelectorAll(POINTED_AT)].filter(isSeen);
  const chosen = new Set<Element>();
  for (let tries = 0; chosen.size < elements && tries < 10 * elements; tries++) {
    const element = random.pick(seen);
    if (element) chosen.add(element);
  }
  return [...targets, ...[...chosen].map((element) => ({ kind: 'element' as const, element }))];
}

function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
}

function chooseWords(node: Text, random: Random): TextTarget | undefined {
  const words = [...node.data.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)];
  const count = Math.min(random.pick(WORDS_OF_LENGTHS)!, words.length);
  const first = random.below(words.length - count + 1);
  const [start, end] = [words[first], words[first + count - 1]];
  if (!start || !end) return undefined;
  // A line of a language without spaces would be one word.
  const to = Math.min(end.index + end[0].length, start.index + 90);
  return { kind: 'text', node, from: start.index, to, changed: 0 };
}
