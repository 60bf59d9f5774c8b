import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, serialize, serializeOuter } from 'parse5';
import { shorten } from '../../../lib/text/cut-text.ts';
import { shortenDataUris } from './shorten-data-uris.ts';

type Node = DefaultTreeAdapterTypes.Node;
type ChildNode = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;
type ParentNode = DefaultTreeAdapterTypes.ParentNode;

export interface CleanOptions {
  includeHead: boolean;
  includeBody: boolean;
  /** Cleaned documents of the frames, in the order of their elements in the HTML. */
  frames?: (string | undefined)[];
}

const HINTS = /^(preload|modulepreload|prefetch|prerender|preconnect|dns-prefetch)$/i;
const NOISE_ATTRIBUTE =
  /^(on.|nonce$|integrity$|crossorigin$|fetchpriority$|js(action|controller|name|model|data)$|_ng(content|host)-|data-(v-|react|gtm|ga-|ga$|analytics|track|astro-cid|n-head|hs-cf|beacon|event-(category|action|label)))/;
const MAX_PATH = 60;

/**
 * Removes what only machines read: scripts (but for linked data), stylesheets, comments, event handlers, resource
 * hints, tracking pixels and embedded files.
 */
export function cleanHtml(source: string, { includeHead, includeBody, frames = [] }: CleanOptions): string {
  const document = parse(source, { scriptingEnabled: true });
  const frameElements: Element[] = [];
  prune(document, frameElements);
  // With another number of frames than in the browser, they cannot be assigned.
  if (frames.length === frameElements.length) {
    for (const [index, element] of frameElements.entries()) {
      const inner = frames[index];
      if (inner) element.childNodes = [textNode(inner, element)];
    }
  }
  const root = document.childNodes.find((node): node is Element => node.nodeName === 'html');
  const part = (name: string) => root?.childNodes.find((node) => node.nodeName === name);
  const head = part('head');
  const body = part('body') ?? part('frameset');
  if (includeHead && includeBody) return serialize(document);
  const wanted = includeHead ? head : includeBody ? body : undefined;
  return wanted ? serializeOuter(wanted) : '';
}

/** Iterative, since a page may nest deeper than the call stack. */
function prune(document: ParentNode, frameElements: Element[]): void {
  const stack: { parent: ParentNode; keepsSpace: boolean }[] = [{ parent: document, keepsSpace: false }];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { parent } = top;
    const keepsSpace = top.keepsSpace || /^(pre|textarea)$/.test(parent.nodeName);
    if (!/^(script|iframe)$/.test(parent.nodeName)) {
      parent.childNodes = parent.childNodes.filter((node) => !isNoise(node));
    }
    for (const node of parent.childNodes) {
      if ('value' in node && node.nodeName === '#text' && !keepsSpace) {
        node.value = node.value.replace(/\s+/g, (space) => (space.includes('\n') ? '\n' : ' '));
      }
      if (!('tagName' in node)) continue;
      pruneElement(node);
      stack.push({ parent: 'content' in node ? node.content : node, keepsSpace });
    }
  }
  // A second walk, since the first is not in document order.
  collectFrames(document, frameElements);
}

function isNoise(node: ChildNode): boolean {
  if (node.nodeName === '#comment') return true;
  if (!('tagName' in node)) return false;
  const attribute = (name: string) => node.attrs.find((one) => one.name === name)?.value;
  if (node.tagName === 'script') return !/ld\+json/i.test(attribute('type') ?? '');
  if (node.tagName === 'noscript' || node.tagName === 'style') return true;
  if (node.tagName === 'link') return (attribute('rel') ?? '').split(/\s+/).some((rel) => HINTS.test(rel));
  const isPixel = (size: string | undefined) => size !== undefined && /^[01](px)?$/.test(size.trim());
  return node.tagName === 'img' && isPixel(attribute('width')) && isPixel(attribute('height'));
}

function pruneElement(element: Element): void {
  if (element.tagName === 'iframe') element.childNodes = [];
  element.attrs = element.attrs.filter(({ name }) => !NOISE_ATTRIBUTE.test(name));
  for (const attribute of element.attrs) {
    attribute.value = shortenDataUris(attribute.value);
    const isDrawing = attribute.name === 'd' || attribute.name === 'points';
    if (isDrawing) attribute.value = shorten(attribute.value, MAX_PATH);
  }
}

function collectFrames(document: ParentNode, found: Element[]): void {
  const stack: Node[] = [document];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === 'iframe') found.push(node as Element);
    const children =
      'content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : [];
    for (let at = children.length - 1; at >= 0; at--) stack.push(children[at]!);
  }
}

function textNode(value: string, parent: Element): DefaultTreeAdapterTypes.TextNode {
  const node = defaultTreeAdapter.createTextNode(value);
  node.parentNode = parent;
  return node;
}
