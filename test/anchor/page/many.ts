import { quoteAt } from '../../../packages/elements/src/anchor/make-anchor.ts';
import {
  type Anchor,
  anchorOf,
  readState,
  type Wanted,
  watchAnchors,
} from '../../../packages/elements/src/anchor.ts';
import { randomOf } from './random.ts';

export interface ManyPins {
  pins: number;
  found: number;
  ms: number;
  /** Milliseconds that each slice has held the page. */
  slices: number[];
  characters: number;
}

declare global {
  interface Window {
    many(pins: number, changed: number): Promise<ManyPins>;
  }
}

const SYLLABLES = ['ka', 'lo', 'mi', 'ter', 'san', 'vu', 'pe', 'rin', 'dol', 'esk', 'ast', 'ou'];

function finish<T>(work: Generator<undefined, T, undefined>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Finds many pins on a long page, some of whose words have changed. */
window.many = async (pins, changed) => {
  const random = randomOf(7);
  const word = () => Array.from({ length: 1 + random.below(4) }, () => random.pick(SYLLABLES)).join('');
  const paragraphs: HTMLParagraphElement[] = [];
  for (let at = 0; at < pins; at++) {
    const paragraph = document.createElement('p');
    paragraph.textContent = Array.from({ length: 45 }, word).join(' ');
    paragraphs.push(paragraph);
  }
  document.body.replaceChildren(...paragraphs);
  const { page } = finish(readState());
  const wanted: Wanted[] = page.runs.map((run, at) => {
    const from = page.text.indexOf(' ', run.from + random.below(120)) + 1;
    const { text, occurrence, before, after } = quoteAt(page, {
      from,
      to: page.text.indexOf(' ', from + 20),
    });
    const annotation = {
      targetElement: { targetText: text, occurrence },
      agent: { reason: { findingType: 'text', textBefore: before, textAfter: after } },
    };
    return { id: String(at), anchor: anchorOf(annotation) as Anchor, top: undefined };
  });
  for (let count = 0; count < changed; count++) {
    const node = paragraphs[random.below(pins)]!.firstChild as Text;
    node.insertData(random.below(node.data.length), 'x');
  }
  const began = performance.now();
  return await new Promise<ManyPins>((resolve) => {
    const watch = watchAnchors((found, isWhole) => {
      if (!isWhole) return;
      const ms = performance.now() - began;
      // The last slice is counted when it has ended.
      setTimeout(() => {
        watch.stop();
        const there = [...found.values()].filter(Boolean).length;
        resolve({ pins, found: there, ms, slices: [...watch.slices], characters: page.text.length });
      });
    });
    watch.want(wanted);
  });
};
