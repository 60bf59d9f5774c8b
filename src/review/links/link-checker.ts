import { untilAborted } from '../../lib/time.ts';
import { PageFailure } from '../../outside/browser/browser.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import type { FetchOutcome } from './fetch-once.ts';
import { followRedirects, type RedirectChain } from './follow-redirects.ts';
import { createHostThrottle } from './host-throttle.ts';
import { type Fault, faultOf } from './link-fault.ts';
import { fragmentOf, hasFragment, isScriptRoute, withoutFragment } from './page/address.ts';
import type { PageLink, PageLinks } from './page/page-links.ts';
import { createPageParser } from './page/page-parser.ts';
import { createFragmentTargets, createPageStore, type FragmentTargets } from './page-store.ts';
import { createPoliteFetch, DEFAULT_TIMING, type FetchTiming, type PoliteFetch } from './polite-fetch.ts';

export interface Checker {
  /**
   * Fetches an address and the page or stylesheet behind it. Throws `PageFailure` for the login page in its place, if the
   * run is signed in.
   */
  read(url: string, signal?: AbortSignal): Promise<RedirectChain>;
  /**
   * The fault of a link, or undefined. `wantContent` spares a second request if another link of the page has the same
   * address with a fragment.
   */
  check(
    link: Pick<PageLink, 'url' | 'valid' | 'kind'>,
    signal?: AbortSignal,
    wantContent?: boolean,
  ): Promise<Fault | undefined>;
  /** Like `check`, and returns the redirects and the answer too; none for an invalid address. */
  inspect(
    link: Pick<PageLink, 'url' | 'valid' | 'kind'>,
    signal?: AbortSignal,
    wantContent?: boolean,
  ): Promise<Inspected>;
  /** Adds a page that was fetched elsewhere, so that links into it cost no request. */
  learn(page: PageLinks): void;
}

export interface Inspected {
  fault?: Fault | undefined;
  chain?: RedirectChain;
}

export interface CheckerOptions {
  fetch: SafeFetch;
  /** Reads a page in a browser; called only where scripts may have added a missing fragment. */
  render?(url: string, signal: AbortSignal): Promise<PageLinks>;
  /** True if a request for one address ends at the login page of the site, of a run that is signed in. */
  leadsToLogin?: ((asked: string, final: string, status: number | undefined) => boolean) | undefined;
  /** Called for each page that was read, and for each address that was asked. */
  onRead?(page: PageLinks): void;
  onAnswer?(chain: RedirectChain): void;
  /** Called once for each address that the SSRF guard refuses. */
  onUnchecked?(url: string): void;
  timing?: Partial<FetchTiming>;
  /** Maximum number of concurrent requests, in all and to one host. */
  total?: number;
  perHost?: number;
}

/** A run has one checker, which fetches each address once, however many pages link to it. */
export function createChecker({
  fetch,
  render,
  leadsToLogin,
  onRead,
  onAnswer,
  onUnchecked,
  timing,
  total = 64,
  perHost = 16,
}: CheckerOptions): Checker {
  const fetchPolitely = createPoliteFetch({
    fetch,
    throttle: createHostThrottle({ total, perHost }),
    timing: { ...DEFAULT_TIMING, ...timing },
    parse: createPageParser(),
    store: createPageStore(),
  });
  const fetchShared = shareRequests(fetchPolitely);
  const pages = createRenderedTargets(render);
  const unchecked = new Set<string>();

  function followShared(url: string, want: Want, signal?: AbortSignal): Promise<RedirectChain> {
    const wantContent = want !== 'status';
    return followRedirects(url, (address, cookie) =>
      cookie === undefined
        ? fetchShared(address, want, signal)
        : fetchPolitely(address, { wantContent, cookie, isWanted: () => !signal?.aborted }),
    );
  }

  async function read(url: string, signal?: AbortSignal): Promise<RedirectChain> {
    const chain = await followShared(withoutFragment(url), 'page', signal);
    const { page, url: final, status } = chain.final;
    // The login page must not pass for the page that was asked for.
    if (leadsToLogin?.(url, final, status)) throw signedOut(url, final, status);
    if (!page) return chain;
    onRead?.(page);
    // Holds the page for the caller, also where there is no room to keep it.
    return { ...chain, final: { ...chain.final, page } };
  }

  async function inspect(
    link: Pick<PageLink, 'url' | 'valid' | 'kind'>,
    signal?: AbortSignal,
    wantContent = false,
  ): Promise<Inspected> {
    if (!link.valid) return { fault: { type: 'invalid-url', redirects: [], finalUrl: link.url } };
    const url = withoutFragment(link.url);
    const fragment = link.kind === 'anchor' || link.kind === 'area' ? fragmentOf(link.url) : '';
    const needsContent = wantContent || fragment !== '';
    const want = needsContent && !pages.isRendered(url) ? 'content' : 'status';
    const chain = await followShared(url, want, signal);
    onAnswer?.(chain);
    if (chain.final.failure === 'refused-host' && !unchecked.has(url)) {
      unchecked.add(url);
      onUnchecked?.(url);
    }
    const fault = faultOf(chain, url, link.kind);
    if (fault || fragment === '') return { fault, chain };
    const missing = await pages.lacks(chain, chain.fragment ?? fragment, signal);
    if (!missing) return { chain };
    const { redirects, final } = chain;
    return { fault: { type: 'fragment', redirects, finalUrl: final.url, ...missing }, chain };
  }

  return {
    read,
    inspect,
    check: async (link, signal, wantContent) => (await inspect(link, signal, wantContent)).fault,
    learn(page) {
      onRead?.(page);
      if (!page.scripted) pages.add(withoutFragment(page.finalUrl), page);
    },
  };
}

const signedOut = (url: string, final: string, status: number | undefined): PageFailure =>
  new PageFailure(
    'signed-out',
    `The session has ended: ${url} ${status === 401 ? 'answers with HTTP 401' : `leads to ${final.replace(/[?#].*$/s, '')}`}.`,
  );

/** The part of an answer that a caller needs: its status, also its content, or also the page itself. */
type Want = 'status' | 'content' | 'page';

/** A request that all links to its address share. */
interface SharedRequest {
  outcome: Promise<FetchOutcome>;
  /** The outcome once it is there: most links lead to addresses that others led to before. */
  settled?: FetchOutcome;
  withContent: boolean;
  /** Callers that wait for the outcome. */
  waiting: number;
}

/**
 * Memoizes requests by address: a caller joins the request that is under way or done. A queued request is dropped once
 * no caller waits for it, and a failed one is forgotten.
 */
function shareRequests(fetchPolitely: PoliteFetch) {
  const requests = new Map<string, SharedRequest>();

  const start = (url: string, wantContent: boolean): SharedRequest => {
    const isWanted = () => request.waiting > 0;
    const request: SharedRequest = {
      outcome: fetchPolitely(url, { wantContent, isWanted }),
      withContent: wantContent,
      waiting: 0,
    };
    request.outcome.then(
      (outcome) => {
        request.settled = outcome;
      },
      () => {
        if (requests.get(url) === request) requests.delete(url);
      },
    );
    requests.set(url, request);
    return request;
  };

  return async (url: string, want: Want, signal?: AbortSignal): Promise<FetchOutcome> => {
    let request = requests.get(url);
    if (request && want !== 'status' && (await lacks(request, want))) {
      const latest = requests.get(url);
      request = latest === request ? undefined : latest;
    }
    request ??= start(url, want !== 'status');
    if (request.settled && !signal?.aborted) return request.settled;
    request.waiting++;
    try {
      return await untilAborted(request.outcome, signal);
    } finally {
      request.waiting--;
    }
  };
}

/** True if the request has to be repeated, since it did not ask for the content, or its page was dropped. */
async function lacks(request: SharedRequest, want: Want): Promise<boolean> {
  if (request.withContent && want === 'content') return false;
  const outcome = request.settled ?? (await request.outcome.catch(() => undefined));
  if (outcome === undefined) return true;
  const { status, hasPage, css, cut } = outcome;
  if (request.withContent) return hasPage === true && outcome.page === undefined;
  return status !== undefined && status < 300 && !hasPage && !css && !cut;
}

/** The targets of fragments on pages, as the server sent them or, where scripts may add some, as a browser has them. */
function createRenderedTargets(render: CheckerOptions['render']) {
  const rendered = new Map<string, FragmentTargets>();
  const rendering = new Map<string, Promise<void>>();

  const add = (url: string, page: PageLinks) => void rendered.set(url, createFragmentTargets(page.fragments));

  const renderOnce = async (url: string, signal?: AbortSignal): Promise<void> => {
    if (!render || rendered.has(url)) return;
    const running =
      rendering.get(url) ??
      render(url, signal ?? new AbortController().signal).then(
        (page) => add(url, page),
        () => void rendering.delete(url),
      );
    rendering.set(url, running);
    await untilAborted(running, signal);
  };

  return {
    add,
    isRendered: (url: string) => rendered.has(url),

    /** Undefined if the page has the target; otherwise whether that is certain. */
    async lacks(
      { final: { url, targets: inSource, cut } }: RedirectChain,
      fragment: string,
      signal?: AbortSignal,
    ): Promise<{ certain: boolean } | undefined> {
      if (isScriptRoute(fragment)) return undefined;
      if (!rendered.has(url)) {
        if (!inSource || cut || hasFragment(fragment, inSource)) return undefined;
        if (!inSource.scripted) return { certain: true };
        await renderOnce(url, signal);
      }
      const targets = rendered.get(url);
      if (!targets) return { certain: false };
      return hasFragment(fragment, targets) ? undefined : { certain: true };
    },
  };
}
