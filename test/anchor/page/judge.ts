import {
  anchorToElement,
  quoteAt,
  selectorOf,
  xpathOf,
} from '../../../packages/elements/src/anchor/make-anchor.ts';
import { offsetOf } from '../../../packages/elements/src/anchor/page-text.ts';
import {
  type Anchor,
  anchorOf,
  type PageState,
  type Resolution,
  readState,
  resolve,
  targetOf,
} from '../../../packages/elements/src/anchor.ts';
import { EDITS } from './edits.ts';
import { randomOf } from './random.ts';
import { chooseTargets, type Target, type TextTarget } from './targets.ts';

export interface Case {
  /** Who made the anchor: a person in the overlay, or an agent. */
  by: 'person' | 'agent';
  kind: Target['kind'];
  verdict: 'right' | 'wrong' | 'orphan';
  isGone: boolean;
  how: string;
  edits: string[];
  /** For people who look into it. */
  note: string;
}

declare global {
  interface Window {
    judge(seed: number): Case[];
  }
}

const TEXTS = 14;
const ELEMENTS = 10;
const MOST_EDITS = 6;

function finish<T>(work: Generator<undefined, T, undefined>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Agents name an element by its path. */
function pathOf(element: Element): string {
  const steps: string[] = [];
  for (let node: Element | null = element; node; node = node.parentElement) {
    const isKnown = /^[A-Za-z_][\w-]*$/.test(node.id);
    if (isKnown || node === document.body) {
      steps.unshift(isKnown ? `#${node.id}` : 'body');
      break;
    }
    const tag = node.localName;
    const alike = [...node.parentElement!.children].filter((other) => other.localName === tag);
    steps.unshift(`${tag}:nth-of-type(${alike.indexOf(node) + 1})`);
  }
  return steps.join(' > ');
}

/** The annotation of a person, or of an agent, as the service stores it. */
function annotate(target: Target, by: Case['by'], state: PageState): object | undefined {
  if (target.kind === 'element') {
    const { element } = target;
    if (by === 'person') return { targetElement: targetOf(finish(anchorToElement(element, state))) };
    const htmlSnippet = element.outerHTML.slice(0, 300);
    return { agent: { reason: { findingType: 'pin', htmlSelector: pathOf(element), htmlSnippet } } };
  }
  const from = offsetOf(state.page, target.node, target.from);
  const to = offsetOf(state.page, target.node, target.to);
  if (from === undefined || to === undefined || to <= from) return undefined;
  const quote = quoteAt(state.page, { from, to });
  if (by === 'person') {
    const around = target.node.parentElement!;
    const anchor = {
      quote,
      selector: selectorOf(around),
      xpath: xpathOf(around),
      look: undefined,
      point: undefined,
    };
    return { targetElement: targetOf(anchor) };
  }
  const { text: targetText, occurrence, before: textBefore, after: textAfter } = quote;
  return {
    targetElement: { targetText, occurrence },
    agent: { reason: { findingType: 'text', textBefore, textAfter, htmlSelector: '' } },
  };
}

/** Words of which more than this was replaced are other words, which no pin may claim to be the old ones. */
const OTHER_WORDS = 0.15;

const isGone = (target: Target): boolean =>
  target.kind === 'element'
    ? !target.element.isConnected
    : !target.node.isConnected || target.changed > OTHER_WORDS;

function isThere(target: Target, found: NonNullable<Resolution>): boolean {
  if (target.kind === 'element') return found.element === target.element;
  return found.range !== undefined && sharedWith(target, found.range) >= 0.5;
}

/** Overlap of a range with the words that are followed, as a share of both together. */
function sharedWith({ node, from, to }: TextTarget, range: Range): number {
  if (!node.isConnected || !range.intersectsNode(node)) return 0;
  const start = range.startContainer === node ? range.startOffset : 0;
  const end = range.endContainer === node ? range.endOffset : node.data.length;
  const shared = Math.min(to, end) - Math.max(from, start);
  return Math.max(0, shared) / (Math.max(to, end) - Math.min(from, start));
}

function judged(target: Target, resolution: Resolution): Case['verdict'] {
  if (!resolution) return isGone(target) ? 'right' : 'orphan';
  // Where the words were replaced, the place of the others is right, too.
  const isConnected = target.kind === 'element' ? target.element.isConnected : target.node.isConnected;
  return isConnected && isThere(target, resolution) ? 'right' : 'wrong';
}

const aboutOf = (anchor: Anchor, resolution: Resolution): string =>
  JSON.stringify({
    quote: anchor.quote,
    selector: anchor.selector,
    look: anchor.look,
    found: resolution && (resolution.range?.toString() ?? resolution.element.outerHTML.slice(0, 160)),
  });

window.judge = (seed) => {
  const random = randomOf(seed);
  const before = finish(readState());
  const targets = chooseTargets(before.page, random, TEXTS, ELEMENTS);
  const annotations = targets.flatMap((target) =>
    (['person', 'agent'] as const).flatMap((by) => {
      const annotation = annotate(target, by, before);
      return annotation ? [{ target, by, stored: JSON.stringify(annotation) }] : [];
    }),
  );
  const copy = {
    random,
    followed: targets.filter((target) => target.kind === 'text'),
    vocabulary: before.page.text.match(/\p{L}{2,20}/gu) ?? ['word'],
  };
  const edits = Array.from({ length: 1 + random.below(MOST_EDITS) }, () => random.pick(Object.keys(EDITS))!);
  for (const name of edits) EDITS[name]!(copy);
  const after = finish(readState());
  return annotations.flatMap(({ target, by, stored }) => {
    const anchor = anchorOf(JSON.parse(stored));
    if (!anchor) return [];
    const resolution = finish(resolve(anchor, after));
    const verdict = judged(target, resolution);
    const how = resolution?.by ?? 'none';
    const note = verdict === 'right' ? '' : aboutOf(anchor, resolution);
    return [{ by, kind: target.kind, verdict, isGone: isGone(target), how, edits, note }];
  });
};
