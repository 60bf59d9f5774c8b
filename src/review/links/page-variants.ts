import { createHash } from 'node:crypto';
import { pageKey, routeOf } from './address.ts';
import type { PageLink, PageLinks } from './page-links.ts';

const INDEX_FILE = /\/(index|default)\.(html?|php|aspx?|jsp)$/i;

/** Equal for addresses that sites use for one page: with any query, as a folder or as its index file. */
export function variantKey(address: string): string {
  const end = address.search(/[?#;]/);
  const path = end === -1 ? address : address.slice(0, end);
  return path
    .replace(/^https?:/, '')
    .replace(INDEX_FILE, '')
    .replace(/\/+$/, '');
}

/**
 * Equal for pages that show the same words and lead to the same addresses. The parameters of the page's own query do not
 * count in them, since a page with an id in its query often passes it on to all of its links.
 */
export function contentOf(text: string, links: readonly PageLink[], ownUrl: string): string {
  const own = new Set(parametersOf(ownUrl));
  const keys = new Set<string>();
  for (const { url, kind, internal } of links) {
    const parameters = internal ? parametersOf(url).filter((one) => !own.has(one)) : [];
    keys.add(
      internal ? `${kind} ${variantKey(url)}?${parameters.join('&')}${routeOf(url)}` : `${kind} ${url}`,
    );
  }
  // A link to the page itself says nothing, and has the address of the variant.
  keys.delete(`anchor ${variantKey(ownUrl)}?`);
  const hash = createHash('sha1').update(text.trim());
  for (const key of [...keys].sort()) hash.update(`\n${key}`);
  return hash.digest('base64');
}

function parametersOf(url: string): string[] {
  const start = url.indexOf('?');
  if (start === -1) return [];
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end === -1 ? undefined : end).split('&');
}

/** Recognizes pages that were met before under another address. */
export function createCopies() {
  const contents = new Set<string>();
  const met = new Set<string>();

  return {
    /** True if a page with an equal variant of the address came before, with equal content or canonical address. */
    isCopy(page: PageLinks, url: string): boolean {
      const variant = variantKey(url);
      const own = pageKey(url);
      const canonical = page.canonical !== undefined && URL.canParse(page.canonical) ? page.canonical : own;
      // Routes of a script share the head of their page, so its canonical address says nothing about them.
      const isNamed = routeOf(url) === '' && variantKey(canonical) === variant;
      const name = isNamed ? pageKey(canonical) : own;
      const isKnown = met.has(name);
      met.add(name).add(own);
      // What the scripts of a page show of its query is unknown.
      const isComparable = !page.scripts?.isDrawn && (!page.scripts?.hasGaps || new URL(url).search === '');
      if (page.content === undefined || !isComparable) return isKnown;
      const content = `${variant} ${page.content}`;
      const isRepeated = contents.has(content);
      contents.add(content);
      return isKnown || isRepeated;
    },
  };
}
