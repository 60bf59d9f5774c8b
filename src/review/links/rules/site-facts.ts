import { z } from 'zod';
import { pageKey, withoutFragment } from '../page/address.ts';
import type { PageLinks } from '../page/page-links.ts';

/** Facts of a page for the rules across pages; they are stored until all pages are reviewed. */
const pageFacts = z.object({
  title: z.string(),
  description: z.string(),
  lang: z.string(),
  noindex: z.boolean(),
  canonical: z.string().optional(),
  /** Keys of addresses on the site that this page is the first to name, without the origin. */
  linked: z.array(z.string()),
});
export type PageFacts = z.infer<typeof pageFacts>;

export const readFacts = (data: unknown): PageFacts | undefined => pageFacts.safeParse(data).data;

/** Bounds what is stored of a site with endless addresses. */
const MAX_LINKED_PER_PAGE = 5_000;
const MAX_LINKED = 200_000;

/** `seen` holds the addresses that other pages of the run have named, and takes those of this one. */
export function factsOf({ head, links, finalUrl }: PageLinks, seen: Set<string>): PageFacts | undefined {
  if (!head) return undefined;
  const linked: string[] = [];
  const own = keyOnSite(finalUrl);
  for (const { internal, valid, url } of links) {
    if (!internal || !valid) continue;
    const key = keyOnSite(url);
    if (key === own || seen.has(key) || seen.size >= MAX_LINKED || linked.length >= MAX_LINKED_PER_PAGE)
      continue;
    seen.add(key);
    linked.push(key);
  }
  const { title, description, lang, noindex, canonicals } = head;
  const [canonical] = canonicals;
  return { title, description, lang, noindex, ...(canonical !== undefined && { canonical }), linked };
}

/** Equal for addresses of one page on its site; see `pageKey`. */
export function keyOnSite(address: string): string {
  const key = new URL(pageKey(withoutFragment(address)));
  return key.pathname + key.search;
}
