import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { createSelectors } from '../links/page/element-selectors.ts';

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** A text in the source of a document. Readers may see it too: only the rendered page shows which texts are visible. */
export interface HiddenText {
  kind: 'comment' | 'script' | 'linked-data' | 'style' | 'attribute' | 'text';
  text: string;
  /** The element with the attribute, or around the text or comment. */
  element: Element;
  /** Name of the attribute. */
  name?: string;
  xpath: string;
}

/** A parsed document as rules read it. */
export interface HtmlPage {
  source: string;
  /** All elements in document order. */
  elements: readonly Element[];
  hidden: readonly HiddenText[];
  selectorOf(element: Element): string;
}

const MAX_NODES = 200_000;
/** Attributes without words or data. */
const MECHANICAL =
  /^(class|id|style|d|points|transform|viewbox|width|height|type|rel|role|lang|dir|for|name|method|target|tabindex|sizes|media|as|integrity|nonce|crossorigin|loading|decoding|charset|xmlns.*|fill|stroke.*|aria-(hidden|expanded|controls|labelledby|describedby|live|current|haspopup|selected))$/;

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value;

export function readHtml(source: string): HtmlPage {
  const document = parse(source, { scriptingEnabled: true });
  const elements: Element[] = [];
  const hidden: HiddenText[] = [];
  const idCounts = new Map<string, number>();
  const stack: { node: Node; xpath: string; parent?: Element }[] = [{ node: document, xpath: '' }];
  for (let top = stack.pop(), seen = 0; top && seen < MAX_NODES; top = stack.pop(), seen += 1) {
    const { node, xpath, parent } = top;
    if (node.nodeName === '#comment') {
      const { data } = node as DefaultTreeAdapterTypes.CommentNode;
      if (parent && data.trim()) hidden.push({ kind: 'comment', text: data, element: parent, xpath });
      continue;
    }
    if ('value' in node) {
      if (parent && node.value.trim())
        hidden.push({ kind: kindOf(parent), text: node.value, element: parent, xpath });
      continue;
    }
    const element = 'tagName' in node ? node : undefined;
    if (element) {
      elements.push(element);
      const id = attributeOf(element, 'id');
      if (id) idCounts.set(id, (idCounts.get(id) ?? 0) + 1);
      for (const { name, value } of element.attrs) {
        if (value.trim() === '' || MECHANICAL.test(name)) continue;
        hidden.push({ kind: 'attribute', text: value, element, name, xpath: `${xpath}/@${name}` });
      }
    }
    const children =
      element && 'content' in element
        ? (element as DefaultTreeAdapterTypes.Template).content.childNodes
        : 'childNodes' in node
          ? node.childNodes
          : [];
    const counts = new Map<string, number>();
    const inner = children.map((child) => {
      const step =
        child.nodeName === '#comment' ? 'comment()' : child.nodeName === '#text' ? 'text()' : child.nodeName;
      const count = (counts.get(step) ?? 0) + 1;
      counts.set(step, count);
      return {
        node: child as Node,
        xpath: `${xpath}/${step}[${count}]`,
        ...(element && { parent: element }),
      };
    });
    for (const child of inner.reverse()) stack.push(child);
  }
  return { source, elements, hidden, selectorOf: createSelectors(idCounts) };
}

function kindOf(element: Element): HiddenText['kind'] {
  if (element.tagName === 'style') return 'style';
  if (element.tagName !== 'script') return 'text';
  return /ld\+json/i.test(attributeOf(element, 'type') ?? '') ? 'linked-data' : 'script';
}

/** The name that the page gives to the value of an attribute: that of the attribute or its field. Otherwise empty. */
export function labelOf({ kind, name, element }: HiddenText): string {
  if (kind !== 'attribute') return '';
  if (name !== 'value' && name !== 'content') return name!.replace(/^data-/, '');
  return attributeOf(element, 'name') ?? attributeOf(element, 'id') ?? attributeOf(element, 'property') ?? '';
}

/** Describes where hidden text is, as an adverbial phrase such as “in a comment”. */
export function placeNameOf({ kind, element, name }: HiddenText): string {
  if (kind === 'comment') return 'in a comment of the HTML';
  if (kind === 'linked-data') return 'in the structured data of the page';
  if (kind === 'script') return 'in a script of the page';
  if (kind === 'style') return 'in a style of the page';
  if (kind === 'text') return `in text that is not shown, in a ${element.tagName} element`;
  if (element.tagName === 'meta') return 'in a meta tag';
  const isHidden = element.tagName === 'input' && attributeOf(element, 'type') === 'hidden';
  return isHidden ? 'in a hidden field' : `in the attribute ${name} of a ${element.tagName} element`;
}
