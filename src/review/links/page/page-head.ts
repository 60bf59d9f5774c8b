import type { DefaultTreeAdapterTypes } from 'parse5';
import { z } from 'zod';
import { cutText } from '../../../lib/text/cut-text.ts';
import { relations } from './element-urls.ts';

type Element = DefaultTreeAdapterTypes.Element;

const MAX_TITLE_CHARS = 300;
const MAX_DESCRIPTION_CHARS = 600;
const MAX_ALTERNATES = 200;
const MAX_CANONICALS = 5;

/** Statements of a page to search engines about itself; relations count in its head only. */
export const pageHead = z.object({
  title: z.string().describe('Text of the first title element, single-spaced; empty if there is none.'),
  description: z.string().describe('The meta description, single-spaced; empty if there is none.'),
  lang: z.string().describe('Language of the html element; empty if there is none.'),
  noindex: z.boolean(),
  canonicals: z.array(z.string()).describe('Absolute addresses, each once.'),
  alternates: z
    .array(z.object({ code: z.string(), url: z.string(), selector: z.string(), snippet: z.string() }))
    .describe('The page in other languages, by hreflang.'),
});
export type PageHead = z.infer<typeof pageHead>;

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Collects the head of a page from its elements in document order. */
export function createPageHead() {
  let title: string | undefined;
  let description: string | undefined;
  let lang = '';
  let noindex = false;
  const canonicals: string[] = [];
  const alternates: { code: string; href: string; element: Element }[] = [];

  const noteMeta = (attributes: Map<string, string>) => {
    const name = (attributes.get('name') ?? '').trim().toLowerCase();
    const content = attributes.get('content') ?? '';
    if (name === 'description') description ??= squeezed(content);
    if (name === 'robots' || name === 'googlebot') noindex ||= /\b(noindex|none)\b/i.test(content);
  };

  const noteLink = (attributes: Map<string, string>, element: Element) => {
    const href = attributes.get('href');
    if (href === undefined) return;
    const names = relations(attributes);
    if (names.includes('canonical') && canonicals.length < MAX_CANONICALS) canonicals.push(href);
    const code = attributes.get('hreflang');
    if (code === undefined || !names.includes('alternate') || names.includes('stylesheet')) return;
    // Feeds and other formats have languages too, and are no pages.
    const type = attributes.get('type')?.trim().toLowerCase() ?? '';
    if (type !== '' && type !== 'text/html' && type !== 'application/xhtml+xml') return;
    if (alternates.length < MAX_ALTERNATES) alternates.push({ code: code.trim(), href, element });
  };

  return {
    /** Notes an HTML element. */
    note(tagName: string, attributes: Map<string, string>, element: Element): void {
      if (tagName === 'html') lang = (attributes.get('lang') ?? attributes.get('xml:lang') ?? '').trim();
      else if (tagName === 'title')
        title ??= squeezed(element.childNodes.map((node) => ('value' in node ? node.value : '')).join(''));
      else if (tagName === 'meta') noteMeta(attributes);
      else if (tagName === 'link' && isInHead(element)) noteLink(attributes, element);
    },

    read(
      baseUrl: string,
      selectorOf: (element: Element) => string,
      snippetOf: (element: Element) => string,
    ): PageHead {
      const resolved = canonicals.flatMap((href) => URL.parse(href, baseUrl)?.href ?? []);
      return {
        title: cutText(title ?? '', MAX_TITLE_CHARS),
        description: cutText(description ?? '', MAX_DESCRIPTION_CHARS),
        lang,
        noindex,
        canonicals: [...new Set(resolved)],
        alternates: alternates.flatMap(({ code, href, element }) => {
          const url = URL.parse(href, baseUrl)?.href;
          return url === undefined
            ? []
            : [{ code, url, selector: selectorOf(element), snippet: snippetOf(element) }];
        }),
      };
    },
  };
}

const isInHead = ({ parentNode }: Element): boolean =>
  parentNode !== null && 'tagName' in parentNode && /^(head|noscript)$/.test(parentNode.tagName);
