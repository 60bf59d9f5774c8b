import { FETCH_FAILURE_REASONS } from '../../outside/net/failure-reason.ts';
import type { FetchFailureKind, FetchResult } from '../../outside/net/outbound-fetch.ts';
import { decodeText } from './page/charset.ts';
import { type CssUrl, cssUrls } from './page/css-urls.ts';
import type { PageLinks } from './page/page-links.ts';
import type { ParsePage } from './page/page-parser.ts';
import type { ParsedPage } from './page/parse-page.ts';
import { createFragmentTargets, type FragmentTargets, type PageStore } from './page-store.ts';

/** Outcome of one request; redirects are not followed. */
export interface FetchOutcome {
  url: string;
  status?: number;
  failure?: FetchFailureKind;
  /** The failure in words, see `reasonOf`. */
  reason?: string;
  location?: string;
  setCookie?: string;
  /** Header `Content-Type` as sent. */
  contentType?: string;
  isHtml: boolean;
  /** True for a response of a bot protection, which says nothing about the page that readers get. */
  isBotWall: boolean;
  /** The page that the response holds; undefined once the store has dropped it, see `hasPage`. */
  readonly page?: PageLinks | undefined;
  hasPage?: boolean;
  /** Targets of fragments on the page, and whether scripts may add some. */
  targets?: FragmentTargets & { scripted: boolean };
  css?: CssUrl[];
  /** True if there is more in the body than what was read. */
  cut: boolean;
  /** True if no request was sent, because the host had answered none of the earlier requests. */
  presumed?: boolean;
}

export const failedFetch = (
  url: string,
  failure: FetchFailureKind,
  reason = FETCH_FAILURE_REASONS[failure],
): FetchOutcome => ({
  url,
  failure,
  reason,
  isHtml: false,
  isBotWall: false,
  cut: false,
});

/** Reads status and headers of a response, and the links in its body if content is wanted. */
export async function readResponse(
  url: string,
  result: FetchResult,
  { wantContent, parse, store }: { wantContent: boolean; parse: ParsePage; store: PageStore },
): Promise<FetchOutcome> {
  const { status, headers, body } = result;
  const contentType = headers['content-type'] ?? '';
  const isHtml = isHtmlType(contentType) || (contentType === '' && looksLikeHtml(body));
  const isOk = status >= 200 && status < 300;
  const outcome: FetchOutcome = {
    url,
    status,
    location: headers.location,
    setCookie: headers['set-cookie'],
    ...(contentType !== '' && { contentType }),
    isHtml,
    isBotWall: status === 999 || headers['cf-mitigated'] !== undefined,
    cut: result.truncated,
  };
  if (!wantContent || !isOk) return outcome;
  if (isHtml) {
    const parsed = await parse({ url, body, contentType, pack: store.packs() });
    return parsed ? withPage(outcome, parsed, store) : { ...outcome, cut: true };
  }
  if (isCssType(contentType)) outcome.css = cssUrls(decodeText(body, contentType));
  return outcome;
}

function withPage(outcome: FetchOutcome, { page, packed }: ParsedPage, store: PageStore): FetchOutcome {
  const read = store.keep(page, packed);
  const targets = { ...createFragmentTargets(page.fragments), scripted: page.scripted };
  return {
    ...outcome,
    hasPage: true,
    targets,
    get page() {
      return read();
    },
  };
}

const isHtmlType = (type: string) => /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type);
const isCssType = (type: string) => /^\s*text\/css\b/i.test(type);
const looksLikeHtml = (body: Uint8Array) =>
  /^\uFEFF?\s*<(!doctype html|html|head|body|!--)/i.test(startOf(body));
const startOf = (body: Uint8Array) => new TextDecoder().decode(body.subarray(0, 256));

/** True if a body with these headers may hold links. */
export function mayHaveLinks(headers: Record<string, string>): boolean {
  const type = headers['content-type'] ?? '';
  return type === '' || isHtmlType(type) || isCssType(type);
}
