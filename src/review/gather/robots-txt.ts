import { z } from 'zod';
import { cutText } from '../../lib/text/cut-text.ts';
import { fetchStrategy } from './gather-strategy.ts';

const MAX_PROMPT_CHARS = 50_000;

/** The site's robots file; an absent one is data, not a failure. */
export const robotsTxt = fetchStrategy({
  name: 'robots-txt',
  options: z.looseObject({}),
  choice: {
    shows: "the site's robots.txt",
    locates: 'site',
    askedBy: /\brobots(\.txt)?\b/i,
    rank: 80,
  },

  async gather({ url, fetchText }) {
    const { status, headers, body } = await fetchText(new URL('/robots.txt', url).href);
    const isPage = /\bhtml\b/i.test(headers['content-type'] ?? '');
    const found = status === 200 && !isPage;
    return { found, status, body: found ? body : '' };
  },

  toPrompt({ found, status, body }) {
    if (!found) return [{ text: `The site has no robots.txt (HTTP status ${status}).` }];
    return [{ text: `robots.txt of the site:\n${cutText(body, MAX_PROMPT_CHARS)}` }];
  },
});

/** The addresses of the `Sitemap:` lines of a robots file. */
export const sitemapLines = (robots: string): string[] =>
  Array.from(robots.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(\S+)/gim), (match) => match[1]!);
