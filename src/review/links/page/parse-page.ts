import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { charsetOf, decodeText } from './charset.ts';
import { extractLinks } from './extract-links.ts';
import type { PageLinks } from './page-links.ts';
import { xhtmlToHtml } from './xhtml.ts';

export interface ParseTask {
  url: string;
  body: Uint8Array;
  contentType: string;
  /** True if the page is to be packed as well, see `page-store.ts`. */
  pack: boolean;
}

export interface ParsedPage {
  page: PageLinks;
  packed?: Uint8Array<ArrayBuffer> | undefined;
}

/** Reads the links in the HTML of a response. */
export function parsePage({ url, body, contentType }: Omit<ParseTask, 'pack'>): PageLinks {
  const text = decodeText(body, contentType);
  const html = /^\s*application\/xhtml\+xml\b/i.test(contentType) ? xhtmlToHtml(text) : text;
  return extractLinks(html, url, { rendered: false, charset: charsetOf(body, contentType) });
}

export function parseAndPack(task: ParseTask): ParsedPage {
  const page = parsePage(task);
  return { page, packed: task.pack ? packPage(page) : undefined };
}

/** Compresses a page, quickly rather than well. */
export const packPage = (page: PageLinks): Uint8Array<ArrayBuffer> =>
  new Uint8Array(deflateRawSync(serialize(page), { level: 1 }));

export const unpackPage = (packed: Uint8Array): PageLinks => deserialize(inflateRawSync(packed)) as PageLinks;
