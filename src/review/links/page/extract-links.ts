import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { isScriptRoute, resolveAddress } from './address.ts';
import { charsetIn } from './charset.ts';
import { createSelectors, snippetOf } from './element-selectors.ts';
import { type ElementUrl, elementUrls, relations, styleUrls } from './element-urls.ts';
import type { LinkKind } from './link-kind.ts';
import { createPageHead } from './page-head.ts';
import type { PageLink, PageLinks } from './page-links.ts';
import { createPageScripts } from './page-scripts.ts';
import { createPageText, type PageText } from './page-text.ts';
import { contentOf } from './page-variants.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

export interface ExtractOptions {
  /** True for HTML that a browser serialized after scripts ran, false for HTML as the server sent it. */
  rendered: boolean;
  /** Base of relative addresses if it is not the document's own, as in a shadow root. */
  baseUrl?: string;
  /** Charset of the page; by default the one that its HTML names. */
  charset?: string;
}

interface FoundUrl extends ElementUrl {
  element: Element;
  /** The element for selectors: itself, or the `noscript` around it, whose content no browser parses. */
  selectable: Element;
  words: { text: string; at: number };
}

interface Walk {
  found: FoundUrl[];
  ids: Map<string, number>;
  names: Set<string>;
  text: PageText;
  head: ReturnType<typeof createPageHead>;
  scripts: ReturnType<typeof createPageScripts>;
  base?: string;
  canonical?: string;
  charset?: string;
  framed: { element: Element; html: string }[];
  noscript?: Element;
}

const CONTACT = /^\s*(mailto|tel):/i;
const HTML = 'http://www.w3.org/1999/xhtml';

/**
 * Every address of a page that readers follow or browsers load, in document order. The content of `noscript` counts,
 * since readers without scripts see it; templates, comments and the strings of scripts do not.
 */
export function extractLinks(html: string, documentUrl: string, options: ExtractOptions): PageLinks {
  const walk: Walk = {
    found: [],
    ids: new Map(),
    names: new Set(),
    text: createPageText(),
    head: createPageHead(),
    scripts: createPageScripts(),
    framed: [],
  };
  visitAll(parse(html, { scriptingEnabled: false }), walk);

  const fallbackBase = options.baseUrl ?? documentUrl;
  const baseUrl = baseOf(walk.base, fallbackBase);
  const host = URL.parse(documentUrl)?.host ?? '';
  const charset = options.charset ?? walk.charset;
  const selectorOf = createSelectors(walk.ids);
  const occurrenceOf = walk.text.counter();

  const links: PageLink[] = [];
  const contacts: PageLink[] = [];
  for (const { raw, kind, element, selectable, words } of walk.found) {
    const address = resolveAddress(raw, baseUrl, host, charset);
    const isContact = address === 'not-http' && kind === 'anchor' && CONTACT.test(raw);
    if (address === 'not-http' && !isContact) continue;
    const text = words.text.replace(/\s+/g, ' ').trim();
    (isContact ? contacts : links).push({
      ...(address === 'not-http' ? { url: raw.trim(), valid: true, internal: false } : address),
      rawHref: raw,
      kind,
      text,
      occurrence: occurrenceOf(text, words.at),
      selector: selectorOf(selectable),
      snippet: snippetOf(element, text),
    });
  }
  for (const { element, html: inner } of walk.framed) {
    for (const link of extractLinks(inner, documentUrl, { ...options, baseUrl, charset }).links) {
      // A bare fragment points into the frame itself, which has no address.
      if (!link.rawHref.trim().startsWith('#')) links.push({ ...link, selector: selectorOf(element) });
    }
  }
  const hasRoutes = links.some(({ kind, rawHref }) => kind === 'anchor' && isRoute(rawHref));
  const scripts = options.rendered ? undefined : walk.scripts.read(baseUrl, walk.text.length(), hasRoutes);
  const canonical = walk.canonical === undefined ? null : URL.parse(walk.canonical, baseUrl);
  return {
    finalUrl: documentUrl,
    links,
    fragments: [...new Set([...walk.ids.keys(), ...walk.names])],
    ...(canonical && { canonical: canonical.href }),
    scripted: scripts !== undefined,
    ...(scripts && { scripts }),
    content: contentOf(walk.text.all(), links, documentUrl),
    ...(contacts.length > 0 && { contacts }),
    head: walk.head.read(baseUrl, selectorOf, (element) => snippetOf(element, '')),
  };
}

const isRoute = (rawHref: string): boolean => {
  const href = rawHref.trim();
  return href.startsWith('#') && isScriptRoute(href.slice(1));
};

function baseOf(href: string | undefined, fallback: string): string {
  const base = href === undefined ? null : URL.parse(href, fallback);
  return base && /^https?:$/.test(base.protocol) ? base.href : fallback;
}

/** Iterative, since a page may nest deeper than the call stack. */
function visitAll(root: Node, walk: Walk): void {
  const stack: { node: Node; next: number; leave?: () => void }[] = [{ node: root, next: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const children = 'childNodes' in top.node ? top.node.childNodes : [];
    const child = children[top.next++];
    if (!child) {
      top.leave?.();
      stack.pop();
    } else if (child.nodeName === '#text' && 'value' in child) {
      walk.text.add(child.value);
    } else if ('tagName' in child) {
      stack.push({ node: child, next: 0, leave: visit(child, walk) });
    }
  }
}

function visit(element: Element, walk: Walk): () => void {
  const { tagName, namespaceURI } = element;
  const isHtml = namespaceURI === HTML;
  const attributes = attributesOf(element);
  const id = attributes.get('id');
  if (id) walk.ids.set(id, (walk.ids.get(id) ?? 0) + 1);
  if (isHtml) noteHtml(tagName, attributes, element, walk);

  const parentTag = element.parentNode && 'tagName' in element.parentNode ? element.parentNode.tagName : '';
  const urls = elementUrls(tagName, isHtml, attributes, parentTag);
  if (tagName === 'style' && /^$|^text\/css$/i.test(attributes.get('type') ?? '')) {
    const css = element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
    urls.push(...styleUrls(css));
  }
  const leaveText = walk.text.enter(tagName);
  if (tagName === 'noscript' && !walk.noscript) {
    walk.noscript = element;
    return () => {
      walk.noscript = undefined;
      leaveText();
    };
  }
  if (urls.length === 0) return leaveText;
  const words = { text: tagName === 'area' ? (attributes.get('alt') ?? '') : '', at: walk.text.length() };
  for (const { raw, kind } of urls) {
    walk.found.push({
      raw,
      kind,
      element,
      selectable: walk.noscript ?? element,
      words: hasLinkText(kind) ? words : { text: '', at: 0 },
    });
  }
  if (tagName !== 'a') return leaveText;
  const stopListening = walk.text.listen((piece) => {
    words.text += piece;
  });
  return () => {
    stopListening();
    leaveText();
  };
}

const NO_ATTRIBUTES = new Map<string, string>();

function attributesOf({ attrs }: Element): Map<string, string> {
  if (attrs.length === 0) return NO_ATTRIBUTES;
  const attributes = new Map<string, string>();
  for (const { prefix, name, value } of attrs) attributes.set(prefix ? `${prefix}:${name}` : name, value);
  return attributes;
}

const hasLinkText = (kind: LinkKind) => kind === 'anchor' || kind === 'area';

function noteHtml(tagName: string, attributes: Map<string, string>, element: Element, walk: Walk): void {
  walk.head.note(tagName, attributes, element);
  walk.scripts.note(tagName, attributes, element);
  if (tagName === 'a') {
    const name = attributes.get('name');
    if (name) walk.names.add(name);
  } else if (tagName === 'base') {
    walk.base ??= attributes.get('href');
  } else if (tagName === 'meta') {
    const named = /^content-type$/i.test(attributes.get('http-equiv')?.trim() ?? '')
      ? charsetIn(attributes.get('content') ?? '')
      : undefined;
    walk.charset ??= attributes.get('charset') ?? named;
  } else if (tagName === 'link') {
    if (relations(attributes).includes('canonical')) walk.canonical ??= attributes.get('href');
  } else if (tagName === 'iframe') {
    const html = attributes.get('srcdoc');
    if (html !== undefined) walk.framed.push({ element, html });
  }
}
