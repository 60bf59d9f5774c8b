import { withoutFragment } from './address.ts';
import { type PageLinks, pageLinks } from './page-links.ts';

export const isPageLinks = (data: unknown): data is PageLinks => pageLinks.safeParse(data).success;

/** The pages of the same host that a page leads to by a link a reader can follow. */
export const pageUrlsOf = (page: PageLinks): string[] => [
  ...new Set(
    page.links
      .filter((link) => link.valid && link.internal && (link.kind === 'anchor' || link.kind === 'area'))
      .map((link) => withoutFragment(link.url)),
  ),
];
