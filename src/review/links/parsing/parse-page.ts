import { deflateRawSync } from 'node:zlib';
import { charsetOf, decodeText } from '../charset.ts';
import { extractLinks } from '../extract-links.ts';
import type { PageLinks } from '../page-links.ts';
import { xhtmlToHtml } from '../xhtml.ts';

export interface ParseTask {
  url: string;
  body: Uint8Array;
  contentType: string;
  /** True if the page is to be packed as well, see `page-store.ts`. */
  pack: boolean;
}

/** A parsed page on its way between threads: text is read faster than a copy of its many objects is made. */
export interface ParsedText {
  json: Uint8Array<ArrayBuffer>;
  packed?: Uint8Array<ArrayBuffer> | undefined;
}

/** Reads the links in the HTML of a response. */
export function parsePage({ url, body, contentType }: Omit<ParseTask, 'pack'>): PageLinks {
  const text = decodeText(body, contentType);
  const html = /^\s*application\/xhtml\+xml\b/i.test(contentType) ? xhtmlToHtml(text) : text;
  return extractLinks(html, url, { rendered: false, charset: charsetOf(body, contentType) });
}

export function parseToText(task: ParseTask): ParsedText {
  const json = new TextEncoder().encode(JSON.stringify(parsePage(task)));
  return { json, packed: task.pack ? packText(json) : undefined };
}

/** Compresses the JSON of a page, quickly rather than well. */
export const packText = (json: Uint8Array | string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(deflateRawSync(json, { level: 1 }));
