import type { Random } from './random.ts';
import type { TextTarget } from './targets.ts';

/** What an edit works on: the words that are followed through it, and words to write. */
export interface Copy {
  random: Random;
  followed: readonly TextTarget[];
  vocabulary: readonly string[];
}

type Edit = (copy: Copy) => void;

const BLOCKS = 'p, li, tr, h2, h3, h4, dt, dd, figure, pre, blockquote, section, article, table, ul, div';

const isSmall = (element: Element): boolean =>
  (element.textContent ?? '').length < 0.15 * (document.body.textContent ?? '').length;

const pickBlock = ({ random }: Copy): Element | undefined =>
  random.pick([...document.body.querySelectorAll(BLOCKS)].filter(isSmall));

const sentence = ({ random, vocabulary }: Copy, words: number): string =>
  `${Array.from({ length: words }, () => random.pick(vocabulary)).join(' ')}.`;

const textNodes = (): Text[] => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if ((node as Text).data.trim().length > 1) nodes.push(node as Text);
  return nodes;
};

/** Moves a block among its siblings. */
const reorder: Edit = ({ random }) => {
  const parents = [...document.body.querySelectorAll('*')].filter(
    ({ children, localName }) => children.length > 2 && !/^(tr|svg|select|picture|p)$/.test(localName),
  );
  const parent = random.pick(parents);
  if (!parent) return;
  const moved = parent.children[random.below(parent.children.length)]!;
  parent.insertBefore(moved, parent.children[random.below(parent.children.length)] ?? null);
};

const insertParagraph: Edit = (copy) => {
  const place = pickBlock(copy);
  const isItem = place?.localName === 'li';
  const added = document.createElement(isItem ? 'li' : 'p');
  added.textContent = sentence(copy, 4 + copy.random.below(30));
  if (place && !/^(tr|td|dt|dd)$/.test(place.localName)) place.before(added);
  else document.body.append(added);
};

const deleteBlock: Edit = (copy) => pickBlock(copy)?.remove();

/** Replaces a part of a text node, and follows the words in it. */
function replaceIn(
  node: Text,
  from: number,
  to: number,
  text: string,
  followed: readonly TextTarget[],
): void {
  const grown = text.length - (to - from);
  node.replaceData(from, to - from, text);
  for (const target of followed) {
    if (target.node !== node || target.to <= from) continue;
    const length = target.to - target.from;
    if (target.from >= to) {
      target.from += grown;
      target.to += grown;
      continue;
    }
    const shared = Math.min(to, target.to) - Math.max(from, target.from);
    target.changed = Math.min(1, target.changed + shared / length);
    target.from = Math.min(target.from, from);
    target.to = Math.max(target.to, to) + grown;
  }
}

const changeWords: Edit = ({ random, followed, vocabulary }) => {
  const node = random.pick(textNodes());
  if (!node) return;
  for (let count = 1 + random.below(3); count > 0; count--) {
    const word = random.pick([...node.data.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)]);
    const other = random.pick(vocabulary);
    if (word && other && word[0].length < 40)
      replaceIn(node, word.index, word.index + word[0].length, other, followed);
  }
};

/** Corrects a slip: one letter is another, or is gone. */
const changeLetters: Edit = ({ random, followed }) => {
  for (let count = 1 + random.below(4); count > 0; count--) {
    const node = random.pick(textNodes());
    if (!node) return;
    const at = random.below(node.data.length);
    if (/\p{L}/u.test(node.data[at]!)) replaceIn(node, at, at + 1, random.next() < 0.5 ? '' : 'e', followed);
  }
};

const wrapElement: Edit = ({ random }) => {
  const element = random.pick([
    ...document.body.querySelectorAll('p, ul, ol, table, h2, h3, img, pre, a, div'),
  ]);
  if (!element?.parentElement) return;
  const wrapper = document.createElement(/^(a|img)$/.test(element.localName) ? 'span' : 'div');
  wrapper.className = 'wrapper';
  element.replaceWith(wrapper);
  wrapper.append(element);
};

/** Marks words within a text. */
const wrapWords: Edit = ({ random, followed }) => {
  const node = random.pick(textNodes().filter(({ data }) => data.trim().includes(' ')));
  const word = node && random.pick([...node.data.matchAll(/\S+/g)]);
  if (!node || !word || followed.some((target) => target.node === node)) return;
  const middle = node.splitText(word.index);
  middle.splitText(word[0].length);
  const mark = document.createElement(random.next() < 0.5 ? 'b' : 'span');
  middle.replaceWith(mark);
  mark.append(middle);
};

/** A build that names everything anew. */
const renameClasses: Edit = ({ random }) => {
  const salt = random.below(10_000).toString(36);
  for (const element of document.querySelectorAll('[class]')) {
    const names = [...element.classList].map((name) => `${name.slice(0, 3)}_${salt}${name.length}`);
    element.setAttribute('class', names.join(' '));
  }
  if (random.next() < 0.3)
    for (const element of document.body.querySelectorAll('[id]')) element.id = `${element.id}-${salt}`;
};

const translateAttributes: Edit = (copy) => {
  for (const name of ['alt', 'title', 'placeholder', 'aria-label'])
    for (const element of document.body.querySelectorAll(`[${name}]`))
      if (copy.random.next() < 0.5) element.setAttribute(name, sentence(copy, 3));
};

const duplicate: Edit = (copy) => {
  const block = pickBlock(copy);
  if (!block?.parentElement) return;
  const clone = block.cloneNode(true) as Element;
  for (const element of [clone, ...clone.querySelectorAll('[id]')]) element.removeAttribute('id');
  if (copy.random.next() < 0.5) block.after(clone);
  else block.parentElement.append(clone);
};

const dropAttributes: Edit = ({ random }) => {
  for (const element of document.body.querySelectorAll('[href]'))
    if (random.next() < 0.2) element.setAttribute('href', `${element.getAttribute('href')}?from=page`);
};

export const EDITS: Readonly<Record<string, Edit>> = {
  reorder,
  insertParagraph,
  deleteBlock,
  changeWords,
  changeLetters,
  wrapElement,
  wrapWords,
  renameClasses,
  translateAttributes,
  duplicate,
  dropAttributes,
};
