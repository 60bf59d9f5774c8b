import {
  anchorOf,
  anchorToElement,
  anchorToRange,
  inSlices,
  type Point,
  readState,
  resolve,
  targetOf,
} from '../../../packages/elements/src/anchor.ts';

export interface FoundPlace {
  by: string;
  tag: string;
  text: string;
  point: Point | undefined;
}

interface Kit {
  /** `targetElement` of an annotation, as the service stores it. */
  storedElement(element: Element, point?: Point): Promise<string>;
  storedWords(selector: string, words: string): Promise<string>;
  findStored(stored: string): Promise<FoundPlace | undefined>;
}

declare global {
  interface Window {
    anchors: Kit;
  }
}

window.anchors = {
  async storedElement(element, point) {
    const state = await inSlices(readState());
    return JSON.stringify(targetOf((await inSlices(anchorToElement(element, state!, point)))!));
  },
  async storedWords(selector, words) {
    const node = document.querySelector(selector)!.firstChild as Text;
    const range = document.createRange();
    const at = node.data.indexOf(words);
    range.setStart(node, at);
    range.setEnd(node, at + words.length);
    const state = await inSlices(readState());
    return JSON.stringify(targetOf(anchorToRange(range, state!)!));
  },
  async findStored(stored) {
    const anchor = anchorOf({ targetElement: JSON.parse(stored) })!;
    const state = await inSlices(readState());
    const found = await inSlices(resolve(anchor, state!));
    return (
      found && {
        by: found.by,
        tag: found.element.localName,
        text: found.range?.toString() ?? '',
        point: anchor.point,
      }
    );
  },
};
