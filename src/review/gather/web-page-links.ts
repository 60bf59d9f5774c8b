import { z } from 'zod';
import type { PageLinks } from '../links/page/page-links.ts';
import { linksView, readRenderedLinks } from '../links/rendering/rendered-links.ts';
import { pageStrategy } from './gather-strategy.ts';

const MAX_PROMPT_LINKS = 1000;

/** Every address of the page after its scripts ran, open shadow roots included. */
export const webPageLinks = pageStrategy({
  name: 'web-page-links',
  options: z.looseObject({}),
  choice: {
    shows: 'all links',
    locates: 'nothing',
    askedBy: /\b(links?|hyperlinks?|hrefs?|urls?|anchors?|cta|ctas)\b/i,
    rank: 30,
  },

  view: (_options, deviceType) => ({ deviceType, ...linksView }),

  gather: ({ page }): Promise<PageLinks> => readRenderedLinks(page),

  toPrompt({ finalUrl, links }) {
    const line = ({ url, kind, text, internal }: PageLinks['links'][number]) =>
      `${internal ? 'internal' : 'external'} ${kind} ${url}${text ? ` "${text}"` : ''}`;
    const more = links.length > MAX_PROMPT_LINKS ? `\n(${links.length - MAX_PROMPT_LINKS} more)` : '';
    const lines = links.slice(0, MAX_PROMPT_LINKS).map(line).join('\n');
    return [{ text: `Links of ${finalUrl} (${links.length}):\n${lines}${more}` }];
  },
});
