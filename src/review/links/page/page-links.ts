import { z } from 'zod';
import { withoutFragment } from './address.ts';
import { linkKind } from './link-kind.ts';
import { pageHead } from './page-head.ts';

const pageLink = z.object({
  url: z.string().describe('Absolute address with its fragment; as written where it is no valid address.'),
  valid: z.boolean().describe('Whether the address can be parsed at all.'),
  rawHref: z.string().describe('The address as it stands in the page.'),
  kind: linkKind,
  text: z.string().describe("The link's words; empty for what is not about words."),
  occurrence: z.number().int().min(1).describe("Which occurrence of the link's words on the page, from 1."),
  selector: z.string().describe('CSS selector of the element.'),
  snippet: z.string().describe("The element's own HTML, shortened."),
  internal: z.boolean().describe('Whether it leads to the host of the page.'),
});
export type PageLink = z.infer<typeof pageLink>;

const pageScripts = z.object({
  code: z.string().describe('Equal for pages with the same scripts.'),
  group: z.string().describe('Equal for pages on which the same scripts find the same places to work on.'),
  hasGaps: z.boolean().describe('Whether there are empty containers, which scripts may fill.'),
  isDrawn: z.boolean().describe('Whether the page shows hardly anything before its scripts run.'),
  writes: z
    .boolean()
    .describe('Whether a script in the page holds markup, or only a browser sees a part of it.'),
});
export type PageScripts = z.infer<typeof pageScripts>;

/** All addresses of one page, and the targets of fragments on it. */
const pageLinks = z.object({
  finalUrl: z.string().describe('Where the page was read, after redirects.'),
  links: z.array(pageLink),
  fragments: z.array(z.string()).describe('Every id, and the name of every anchor.'),
  canonical: z.string().optional().describe('What the page calls its own address.'),
  scripted: z.boolean().describe('Whether scripts could still add to what was read.'),
  scripts: pageScripts.optional().describe('The scripts of a page as the server sent it.'),
  content: z
    .object({ exact: z.string(), loose: z.string() })
    .optional()
    .describe('Hashes of the words and the addresses of the page.'),
  reading: z
    .object({ rendered: z.boolean(), reason: z.string() })
    .optional()
    .describe('Whether a browser was needed to read the page, and why.'),
  contacts: z.array(pageLink).optional().describe('Links to mail addresses and telephone numbers.'),
  head: pageHead.optional(),
});
export type PageLinks = z.infer<typeof pageLinks>;

/** Addresses of the same host that readers of a page can follow. */
export const pageUrlsOf = (page: PageLinks): string[] => [
  ...new Set(
    page.links
      .filter((link) => link.valid && link.internal && (link.kind === 'anchor' || link.kind === 'area'))
      .map((link) => withoutFragment(link.url)),
  ),
];
