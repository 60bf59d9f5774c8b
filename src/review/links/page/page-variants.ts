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

/** Hashes that are equal for pages that show the same words and lead to the same addresses. */
export interface PageContent {
  /** The parameters of the page's own query do not count, since pages often pass on an id to all of their links. */
  exact: string;
  /** No query counts in addresses of the page's own path. */
  loose: string;
}

export function contentOf(text: string, links: readonly PageLink[], ownUrl: string): PageContent {
  const own = new Set(parametersOf(ownUrl));
  const ownVariant = variantKey(ownUrl);
  const exact = new Set<string>();
  const loose = new Set<string>();
  for (const { url, kind, internal } of links) {
    if (!internal) {
      exact.add(`${kind} ${url}`);
      loose.add(`${kind} ${url}`);
      continue;
    }
    const variant = variantKey(url);
    const parameters = parametersOf(url).filter((one) => !own.has(one));
    const key = `${kind} ${variant}?${parameters.join('&')}${routeOf(url)}`;
    exact.add(key);
    loose.add(variant === ownVariant ? `${kind} ${variant}?${routeOf(url)}` : key);
  }
  // A link to the page itself says nothing, and has the address of the variant.
  for (const keys of [exact, loose]) keys.delete(`anchor ${ownVariant}?`);
  const hash = (keys: Set<string>) =>
    createHash('sha1')
      .update([text.trim(), ...[...keys].sort()].join('\n'))
      .digest('base64');
  return { exact: hash(exact), loose: hash(loose) };
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
    /**
     * True if a page with an equal variant of the address came before, with equal content or canonical address.
     * `isDrawn`: scripts have drawn the page.
     */
    isCopy(page: PageLinks, url: string, isDrawn: boolean): boolean {
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
      // Scripts that draw a page keep its query in the addresses of their routes, whether they read it or not.
      const content = `${variant} ${isDrawn ? page.content.loose : page.content.exact}`;
      const isRepeated = contents.has(content);
      contents.add(content);
      return isKnown || isRepeated;
    },
  };
}
