import { z } from 'zod';
import { FetchFailure, type SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { fetchStrategy } from './gather-strategy.ts';
import { decodeBody } from './requests/fetch-text.ts';
import { readSitemap, type SitemapEntry } from './requests/sitemap-file.ts';
import { sitemapLines } from './robots-txt.ts';

/** An index may list 50 000 sitemaps, and each costs the site a request. */
const MAX_FILES = 50;
const MAX_FILE_BYTES = 20_000_000;

const sitemapOptions = z.looseObject({
  maxEntries: z.number().int().min(1).default(500),
});

export interface SitemapData {
  /** The sitemaps that were read, with the number of pages in each. */
  sitemaps: { url: string; entries: number }[];
  entries: SitemapEntry[];
  /** True if the site has further sitemaps or entries. */
  truncated: boolean;
  errors: { url: string; message: string }[];
}

/** The pages in the site's sitemaps, which are listed in robots.txt or lie at the usual places. */
export const sitemapData = fetchStrategy({
  name: 'sitemap-data',
  options: sitemapOptions,
  choice: {
    shows: "the site's sitemaps",
    locates: 'site',
    askedBy: /\bsite ?maps?(\.xml)?\b/i,
    rank: 90,
  },

  gather: ({ url, options, fetch, signal }) => collectSitemaps(url, options.maxEntries, fetch, signal),

  toPrompt({ sitemaps, entries, truncated, errors }) {
    const failed = errors.map(({ url, message }) => `\nNot read: ${url} (${message})`).join('');
    if (sitemaps.length === 0) return [{ text: `The site has no sitemap that can be read.${failed}` }];
    const lines = entries.map(({ loc, lastmod }) => (lastmod ? `${loc} (${lastmod})` : loc));
    const head = `Pages of the site by its sitemap (${entries.length}${truncated ? ', cut off' : ''}):`;
    return [{ text: `${head}\n${lines.join('\n')}${failed}` }];
  },
});

/** Reads the sitemaps of a site, up to a number of entries. */
export async function collectSitemaps(
  url: string,
  maxEntries: number,
  fetch: SafeFetch,
  signal: AbortSignal,
): Promise<SitemapData> {
  const data: SitemapData = { sitemaps: [], entries: [], truncated: false, errors: [] };
  const listed = await robotsSitemaps(url, fetch, signal);
  const named = new Set(listed);
  // A sitemap that robots.txt does not list may be absent, which is no error.
  const usual = ['/sitemap.xml', '/sitemap_index.xml'].map((path) => new URL(path, url).href);
  const queue = [...new Set([...listed, ...usual])];
  const asked = new Set(queue);
  const seen = new Set<string>();

  for (let at = 0; at < queue.length; at++) {
    if (data.entries.length >= maxEntries || at >= MAX_FILES) {
      data.truncated ||= queue.slice(at).some((sitemap) => named.has(sitemap));
      break;
    }
    const sitemap = queue[at]!;
    try {
      const answer = await fetch(sitemap, { signal, maxBytes: MAX_FILE_BYTES });
      if (answer.status !== 200) {
        if (named.has(sitemap)) data.errors.push({ url: sitemap, message: `HTTP status ${answer.status}` });
        continue;
      }
      const file = await readSitemap(answer);
      data.truncated ||= answer.truncated;
      data.sitemaps.push({ url: sitemap, entries: file.entries.length });
      for (const entry of file.entries) {
        if (seen.has(entry.loc)) continue;
        if (data.entries.length === maxEntries) {
          data.truncated = true;
          break;
        }
        seen.add(entry.loc);
        data.entries.push(entry);
      }
      for (const further of file.sitemaps) {
        named.add(further);
        if (asked.has(further)) continue;
        asked.add(further);
        queue.push(further);
      }
    } catch (error) {
      signal.throwIfAborted();
      const isFailure = error instanceof FetchFailure;
      if (named.has(sitemap) || isFailure) data.errors.push({ url: sitemap, message: messageOf(error) });
    }
  }
  return data;
}

async function robotsSitemaps(url: string, fetch: SafeFetch, signal: AbortSignal): Promise<string[]> {
  try {
    const answer = await fetch(new URL('/robots.txt', url).href, { signal });
    if (answer.status !== 200) return [];
    return sitemapLines(decodeBody(answer)).flatMap((line) => URL.parse(line, url)?.href ?? []);
  } catch (error) {
    // The requests to the usual places will report what is wrong with the host.
    if (error instanceof FetchFailure && !signal.aborted) return [];
    throw error;
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
