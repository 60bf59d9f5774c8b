import type { DefaultTreeAdapterTypes } from 'parse5';
import { shorten } from '../../../lib/text/cut-text.ts';

type Element = DefaultTreeAdapterTypes.Element;

/** Length in characters above which the path is restarted: less exact, but bounded. */
const MAX_LENGTH = 2_000;

const isElement = (node: unknown): node is Element =>
  typeof node === 'object' && node !== null && 'tagName' in node;

/** A function that makes selectors: the path to an element from the nearest id that is unique on the page. */
export function createSelectors(idCounts: Map<string, number>) {
  const known = new Map<Element, string>();
  const places = new Map<Element, number>();

  const placeOf = (element: Element): number => {
    if (!places.has(element)) {
      const counts = new Map<string, number>();
      for (const sibling of element.parentNode?.childNodes ?? []) {
        if (!isElement(sibling)) continue;
        const place = (counts.get(sibling.tagName) ?? 0) + 1;
        counts.set(sibling.tagName, place);
        places.set(sibling, place);
      }
    }
    return places.get(element) ?? 1;
  };

  const ownStep = (element: Element): { step: string; isRoot: boolean } => {
    const id = element.attrs.find((attribute) => attribute.name === 'id')?.value;
    if (id && idCounts.get(id) === 1 && /^[A-Za-z_][\w-]*$/.test(id)) return { step: `#${id}`, isRoot: true };
    const { tagName } = element;
    if (tagName === 'html' || tagName === 'head' || tagName === 'body')
      return { step: tagName, isRoot: true };
    return { step: `${tagName}:nth-of-type(${placeOf(element)})`, isRoot: false };
  };

  return (element: Element): string => {
    const chain: Element[] = [];
    let base = '';
    for (let node: unknown = element; isElement(node); node = node.parentNode) {
      const ready = known.get(node);
      if (ready !== undefined) {
        base = ready;
        break;
      }
      chain.push(node);
      if (ownStep(node).isRoot) break;
    }
    for (const node of chain.reverse()) {
      const { step } = ownStep(node);
      base = base && base.length < MAX_LENGTH ? `${base} > ${step}` : step;
      known.set(node, base);
    }
    return base;
  };
}

/** The start tag of an element and its words, shortened. */
export function snippetOf(element: Element, text: string): string {
  const attributes = element.attrs
    .map(
      ({ prefix, name, value }) =>
        ` ${prefix ? `${prefix}:` : ''}${name}="${shorten(value, 160).replaceAll('"', '&quot;')}"`,
    )
    .join('');
  const start = shorten(`<${element.tagName}${attributes}>`, 400);
  return text ? `${start}${shorten(text, 120)}</${element.tagName}>` : start;
}
