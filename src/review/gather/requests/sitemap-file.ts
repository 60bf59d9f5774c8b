import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { XMLParser } from 'fast-xml-parser';
import { asList, isObject } from '../../../lib/json.ts';
import type { FetchResult } from '../../../outside/net/outbound-fetch.ts';
import { decodeBody } from './fetch-text.ts';

export interface SitemapEntry {
  loc: string;
  lastmod?: string;
  changefreq?: string;
  priority?: number;
}

export interface SitemapFile {
  /** Sitemaps that an index lists. */
  sitemaps: string[];
  entries: SitemapEntry[];
}

/** The limit of the sitemap protocol; it also stops decompression bombs. */
const MAX_UNPACKED_BYTES = 50_000_000;

const unzip = promisify(gunzip);

async function loadParser(): Promise<XMLParser> {
  const { XMLParser } = await import('fast-xml-parser');
  return new XMLParser({
    ignoreAttributes: true,
    parseTagValue: false,
    removeNSPrefix: true,
    isArray: (name) => name === 'url' || name === 'sitemap',
  });
}

/** Reads a sitemap: XML, an index, or a plain list of addresses, with or without gzip. */
export async function readSitemap(answer: FetchResult): Promise<SitemapFile> {
  const isPacked = answer.body[0] === 0x1f && answer.body[1] === 0x8b;
  const body = isPacked
    ? new Uint8Array(await unzip(answer.body, { maxOutputLength: MAX_UNPACKED_BYTES }))
    : answer.body;
  const text = decodeBody({ headers: answer.headers, body }).trim();
  return text.startsWith('<') ? readXml(await loadParser(), text, answer.url) : readList(text, answer.url);
}

function readXml(parser: XMLParser, text: string, base: string): SitemapFile {
  const parsed: unknown = parser.parse(text);
  const index = child(parsed, 'sitemapindex');
  const set = child(parsed, 'urlset');
  if (index === undefined && set === undefined) throw new Error('The answer is no sitemap.');
  const sitemaps = asList(child(index, 'sitemap')).flatMap((item) => address(child(item, 'loc'), base));
  const entries = asList(child(set, 'url')).flatMap((item) => {
    const [loc] = address(child(item, 'loc'), base);
    if (loc === undefined) return [];
    const lastmod = words(child(item, 'lastmod'));
    const changefreq = words(child(item, 'changefreq'));
    const priority = Number(words(child(item, 'priority')) ?? Number.NaN);
    return {
      loc,
      ...(lastmod && { lastmod }),
      ...(changefreq && { changefreq }),
      ...(Number.isFinite(priority) && { priority }),
    };
  });
  return { sitemaps, entries };
}

function readList(text: string, base: string): SitemapFile {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const entries = lines
    .filter((line) => /^https?:\/\//i.test(line))
    .flatMap((line) => address(line, base).map((loc) => ({ loc })));
  if (entries.length === 0 && text !== '') throw new Error('The answer is no sitemap.');
  return { sitemaps: [], entries };
}

const child = (node: unknown, name: string): unknown =>
  isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;

const words = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

function address(value: unknown, base: string): string[] {
  const url = typeof value === 'string' && value.trim() !== '' ? URL.parse(value.trim(), base) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? [url.href] : [];
}
