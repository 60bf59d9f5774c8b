import { REASONS } from '../../outside/net/failure-reason.ts';
import type { FetchFailureKind, FetchResult } from '../../outside/net/outbound-fetch.ts';
import { type CssUrl, cssUrls } from './css-urls.ts';
import { charsetNamed, decodeText } from './decode.ts';
import { extractLinks } from './extract.ts';
import type { PageLinks } from './page-links.ts';
import { xhtmlToHtml } from './xhtml.ts';

/** One address asked once, redirects not followed. */
export interface Hop {
  url: string;
  status?: number;
  failure?: FetchFailureKind;
  /** The failure in words, see `reasonOf`. */
  reason?: string;
  location?: string;
  setCookie?: string;
  /** As the server says it. */
  contentType?: string;
  isHtml: boolean;
  /** A wall against machines, which says nothing about what readers get. */
  isBotWall: boolean;
  page?: PageLinks;
  css?: CssUrl[];
  /** Whether there is more than was read. */
  cut: boolean;
  /** Not asked itself, since its host had answered nothing that was. */
  presumed?: boolean;
}

export const unanswered = (url: string, failure: FetchFailureKind, reason = REASONS[failure]): Hop => ({
  url,
  failure,
  reason,
  isHtml: false,
  isBotWall: false,
  cut: false,
});

/** What an answer says, and where its content was wanted, what it links to. */
export function readHop(url: string, result: FetchResult, wantContent: boolean): Hop {
  const { status, headers, body } = result;
  const contentType = headers['content-type'] ?? '';
  const isHtml = isHtmlType(contentType) || (contentType === '' && looksLikeHtml(body));
  const isOk = status >= 200 && status < 300;
  const hop: Hop = {
    url,
    status,
    location: headers.location,
    setCookie: headers['set-cookie'],
    ...(contentType !== '' && { contentType }),
    isHtml,
    isBotWall: status === 999 || headers['cf-mitigated'] !== undefined,
    cut: result.truncated,
  };
  if (!wantContent || !isOk) return hop;
  if (isHtml) {
    const text = decodeText(body, contentType);
    const html = isXhtmlType(contentType) ? xhtmlToHtml(text) : text;
    hop.page = extractLinks(html, url, { rendered: false, charset: charsetNamed(body, contentType) });
  }
  if (isCssType(contentType)) hop.css = cssUrls(decodeText(body, contentType));
  return hop;
}

const isHtmlType = (type: string) => /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type);
const isXhtmlType = (type: string) => /^\s*application\/xhtml\+xml\b/i.test(type);
const isCssType = (type: string) => /^\s*text\/css\b/i.test(type);
const looksLikeHtml = (body: Uint8Array) =>
  /^\uFEFF?\s*<(!doctype html|html|head|body|!--)/i.test(startOf(body));
const startOf = (body: Uint8Array) => new TextDecoder().decode(body.subarray(0, 256));

/** Whether a body is worth reading for its links. */
export function mayHaveLinks(headers: Record<string, string>): boolean {
  const type = headers['content-type'] ?? '';
  return type === '' || isHtmlType(type) || isCssType(type);
}
