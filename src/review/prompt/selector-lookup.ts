import { type Options, selectOne } from 'css-select';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { Gathered } from '../core/gathered.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** Looks up a model's selectors in the HTML that was gathered. */
export interface SelectorLookup {
  /** False if the selector is invalid or matches nothing; undefined if that would take too long to find out. */
  matches(selector: string): boolean | undefined;
}

/** Steps in the tree per selector: a nested one may visit every pair of elements. */
const MAX_STEPS = 2_000_000;

class TooManySteps extends Error {}

/** Undefined if the whole source of the page was not gathered. */
export function selectorLookup(gathered: readonly Gathered[]): SelectorLookup | undefined {
  const html = gathered.find(({ name, error }) => name === 'web-page-html' && error === undefined);
  const { source } = (html?.data ?? {}) as { source?: unknown };
  if (typeof source !== 'string' || !/<\/html>\s*$/i.test(source)) return undefined;
  let roots: Parent[] | undefined;
  return {
    matches(selector) {
      roots ??= rootsOf(source);
      const options = countedOptions();
      try {
        return roots.some((root) => selectOne(selector, root as Node, options) !== null);
      } catch (error) {
        // A deeply nested page may exceed the stack.
        return error instanceof TooManySteps || error instanceof RangeError ? undefined : false;
      }
    },
  };
}

/** The document and its shadow roots, which are serialized as templates. */
function rootsOf(source: string): Parent[] {
  const document = parse(source, { scriptingEnabled: true });
  const roots: Parent[] = [document];
  const stack: Node[] = [document];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if ('content' in node && isElement(node) && node.attrs.some(({ name }) => name === 'shadowrootmode')) {
      roots.push(node.content);
      stack.push(node.content);
    }
    if ('childNodes' in node) for (const child of node.childNodes) stack.push(child);
  }
  return roots;
}

const isElement = (node: Node): node is Element => 'tagName' in node;

function countedOptions(): Options<Node, Element> {
  let steps = 0;
  const children = (node: Node): Node[] => {
    steps += 1;
    if (steps > MAX_STEPS) throw new TooManySteps();
    return 'childNodes' in node ? node.childNodes : [];
  };
  const parentOf = (node: Node): Parent | null => {
    steps += 1;
    if (steps > MAX_STEPS) throw new TooManySteps();
    return 'parentNode' in node ? node.parentNode : null;
  };
  const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value;
  const textOf = (node: Node): string => ('value' in node ? node.value : children(node).map(textOf).join(''));
  return {
    adapter: {
      isTag: isElement,
      getName: ({ tagName }) => tagName,
      getAttributeValue: attribute,
      hasAttrib: (element, name) => attribute(element, name) !== undefined,
      getChildren: children,
      getParent: parentOf,
      getSiblings: (node) => {
        const parent = parentOf(node);
        return parent ? children(parent) : [node];
      },
      getText: textOf,
      removeSubsets: (nodes) => nodes,
    },
  };
}
