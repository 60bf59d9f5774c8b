import type { CDPSession, Page, Request, Response } from 'playwright-core';
import type { EgressProxy } from '../net/egress-proxy.ts';
import { reasonOfChromium } from '../net/failure-reason.ts';
import { portOf, UNREACHABLE } from '../net/ssrf-guard.ts';
import { type LoadedPage, PageFailure, type View } from './browser.ts';
import { refusedCertificate } from './browser-context.ts';
import { watchSettling } from './wait-until-settled.ts';

/** Time limits for subresources and for network traffic, after which the page counts as loaded. */
const LOAD_WAIT_MS = 15_000;
const IDLE_WAIT_MS = 5_000;

/** Navigates to the URL. Once the document has arrived the load succeeds, however long its images take. */
export async function loadPage(
  page: Page,
  session: CDPSession,
  url: string,
  view: View,
  { proxy, timeoutMs, onClockStop }: { proxy: EgressProxy; timeoutMs: number; onClockStop?: () => void },
): Promise<LoadedPage> {
  const startedAt = performance.now();
  /** Leaves half of the remaining time for using the page. */
  const waitMs = (ms: number) => Math.max(1, Math.min(ms, (timeoutMs - (performance.now() - startedAt)) / 2));
  const seen: { document?: Response; failed?: Request; isDownload: boolean } = { isDownload: false };
  const isDocument = (request: Request) =>
    request.isNavigationRequest() && request.frame() === page.mainFrame();
  page.on('response', (response) => {
    if (isDocument(response.request())) seen.document = response;
  });
  page.on('requestfailed', (request) => {
    if (isDocument(request)) seen.failed = request;
  });
  page.on('download', () => {
    seen.isDownload = true;
  });

  const settle = view.waitUntil === 'settled' ? watchSettling(page, session, onClockStop) : undefined;
  try {
    await page.goto(url, { waitUntil: 'domcontentloaded', timeout: timeoutMs });
  } catch (error) {
    throw explain(error as Error, seen, url, { proxy, session });
  }
  if (view.waitUntil !== 'domcontentloaded') {
    await reachState(page, 'load', waitMs(LOAD_WAIT_MS));
  }
  if (view.waitUntil === 'networkidle') await reachState(page, 'networkidle', waitMs(IDLE_WAIT_MS));
  await settle?.(waitMs(IDLE_WAIT_MS));

  const { document } = seen;
  if (!document) throw new PageFailure('navigation', 'The page has no document.');
  const headers = await document.allHeaders();
  if (headers[proxy.mark.name] === proxy.mark.value) {
    if (document.status() === 403) throw refusedHost();
    throw pageNotLoaded(reasonAt(proxy, document.url()));
  }
  return { page, url: page.url(), status: document.status(), headers };
}

export const pageNotLoaded = (reason: string | undefined, cause?: unknown) =>
  new PageFailure('navigation', `The page could not be loaded${reason ? `: ${reason}` : ''}.`, { cause });

export function reasonAt(proxy: EgressProxy, address: string): string | undefined {
  const url = URL.parse(address);
  return url ? proxy.reasonOf(url.hostname, portOf(url)) : undefined;
}

export const refusedHost = () => new PageFailure('refused-host', UNREACHABLE);

/** Compares by name, since importing Playwright's class would load Playwright. */
const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError';

async function reachState(page: Page, state: 'load' | 'networkidle', timeout: number) {
  await page.waitForLoadState(state, { timeout }).catch((error: unknown) => {
    if (!isTimeout(error)) throw error;
  });
}

/** Errors of redirects that the browser itself refuses to follow. */
const REFUSED_BY_BROWSER = /ERR_UNSAFE_REDIRECT|ERR_UNKNOWN_URL_SCHEME|ERR_DISALLOWED_URL_SCHEME/;

function explain(
  cause: Error,
  seen: { failed?: Request; isDownload: boolean },
  asked: string,
  { proxy, session }: { proxy: EgressProxy; session: CDPSession },
): PageFailure {
  if (seen.isDownload || cause.message.includes('Download is starting')) {
    return new PageFailure('download', 'The address returns a file, not a page.', { cause });
  }
  if (isTimeout(cause)) {
    return new PageFailure('timeout', 'The page did not load in time.', { cause });
  }
  const failedUrl = URL.parse(seen.failed?.url() ?? asked);
  const isDenied = failedUrl !== null && proxy.hasDenied(failedUrl.hostname, portOf(failedUrl));
  if (REFUSED_BY_BROWSER.test(cause.message) || (isDenied && cause.message.includes('TUNNEL')))
    return refusedHost();
  const code =
    (failedUrl && refusedCertificate(session, failedUrl)) ?? /net::(ERR_[A-Z\d_]+)/.exec(cause.message)?.[1];
  const isProxyError = code !== undefined && /TUNNEL|EMPTY_RESPONSE|CONNECTION/.test(code);
  const reason = isProxyError ? reasonAt(proxy, failedUrl?.href ?? asked) : undefined;
  return pageNotLoaded(reason ?? (code && reasonOfChromium(code)), cause);
}
