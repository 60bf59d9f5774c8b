import { setTimeout as wait } from 'node:timers/promises';
import { pageKey, withoutFragment } from './address.ts';
import type { RedirectChain } from './follow-redirects.ts';
import { whyUnread } from './follow-redirects.ts';
import type { Checker } from './link-checker.ts';
import type { LinkKind, PageLinks } from './page-links.ts';

export interface CrawlOptions {
  seedUrl: string;
  maxPages: number;
  /** Maximum number of links between the seed and a visited page; 0, the default, sets no limit. */
  maxDepth?: number;
  timeoutMs?: number;
  /** False for a page that must not be listed. Its links are followed nevertheless. */
  accept?(url: string): boolean;
  checker: Checker;
  signal?: AbortSignal;
  onPage?(page: PageLinks): void;
}

export interface CrawlResult {
  /** Pages of the site in the order of their discovery, each under the address that answered. */
  urls: string[];
  /** All addresses of the site that were seen, visited or not. */
  totalUrlsFound: number;
  pagesVisited: number;
  status: 'complete' | 'max-pages' | 'timeout';
  /** Reason why the seed could not be read. */
  seedFailure?: string;
}

const FOLLOWED = new Set<LinkKind>(['anchor', 'area', 'frame', 'refresh', 'relation']);
/** Pages that are fetched ahead, in the order of the queue. */
const WINDOW = 32;
/** Bounds the visits of a crawl that `accept` lets list few pages. */
const MAX_VISITS_PER_LISTED = 10;
/** Addresses of one pattern that are visited early; further ones come last, since a calendar has endless addresses. */
const FAVORED_PER_PATTERN = 50;

/**
 * Lists the pages of a site that links lead to from a seed, breadth first. Ignores robots.txt and `nofollow`, since the
 * owner of a site has its closed parts and staging copies reviewed as well.
 */
export async function crawl(options: CrawlOptions): Promise<CrawlResult> {
  const { seedUrl, maxPages, maxDepth = 0, timeoutMs = 300_000, accept = () => true, checker } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const seed = await checker.read(seedUrl, signal);
  if (!seed.final.page) {
    return { urls: [], totalUrlsFound: 0, pagesVisited: 0, status: 'complete', seedFailure: whyUnread(seed) };
  }

  const { host } = new URL(seed.final.url);
  const queue = createQueue();
  const visited = new Set<string>();
  const urls: string[] = [];
  let pagesVisited = 0;
  queue.add(withoutFragment(seedUrl), 0);
  const reading: { depth: number; isOdd: boolean; chain: Promise<RedirectChain | undefined> }[] = [];
  const isFull = () =>
    urls.length + reading.length >= maxPages || pagesVisited >= maxPages * MAX_VISITS_PER_LISTED;

  while (true) {
    while (reading.length < WINDOW && !isFull()) {
      // Odd addresses wait for the pages that are being read, which may name better ones.
      const next = queue.take(reading.every(({ isOdd }) => isOdd));
      if (!next) break;
      const chain = checker.read(next.url, signal).catch(() => undefined);
      reading.push({ depth: next.depth, isOdd: next.isOdd, chain });
    }
    const head = reading.shift();
    if (!head) break;
    const chain = await head.chain;
    if (signal.aborted) break;
    const page = chain?.final.page;
    const url = chain?.final.url;
    if (!page || url === undefined || new URL(url).host !== host || visited.has(pageKey(url))) continue;
    visited.add(pageKey(url));
    pagesVisited++;
    if (!isCopy(page, visited)) {
      if (accept(url)) urls.push(url);
      options.onPage?.(page);
    }
    if (maxDepth > 0 && head.depth >= maxDepth) continue;
    for (const link of page.links) {
      if (link.internal && FOLLOWED.has(link.kind)) queue.add(withoutFragment(link.url), head.depth + 1);
    }
    // Yields to the event loop, since parsing many pages blocks it.
    if (pagesVisited % WINDOW === 0) await wait(0);
  }
  options.signal?.throwIfAborted();
  const status = timeout.aborted ? 'timeout' : queue.isEmpty() ? 'complete' : 'max-pages';
  return { urls, totalUrlsFound: queue.seen(), pagesVisited, status };
}

/** True if the canonical address of a page has the same path with another query, and was visited. */
function isCopy(page: PageLinks, visited: Set<string>): boolean {
  const canonical = page.canonical === undefined ? null : URL.parse(page.canonical);
  const own = new URL(page.finalUrl);
  if (canonical?.host !== own.host || canonical.pathname !== own.pathname) return false;
  return canonical.search !== own.search && visited.has(pageKey(canonical.href));
}

interface Queued {
  url: string;
  depth: number;
  /** True if its pattern has had many addresses, or its path repeats itself. */
  isOdd: boolean;
}

function createQueue() {
  const named = new Set<string>();
  const queued = new Set<string>();
  const counts = new Map<string, number>();
  const favored: Queued[] = [];
  const others: Queued[] = [];
  let taken = 0;
  let othersTaken = 0;
  return {
    add(url: string, depth: number) {
      // Parsing is slow, and most links repeat an address.
      if (named.has(url)) return;
      named.add(url);
      const key = pageKey(url);
      if (queued.has(key)) return;
      queued.add(key);
      const pattern = patternOf(url);
      const count = (counts.get(pattern) ?? 0) + 1;
      counts.set(pattern, count);
      const isOdd = count > FAVORED_PER_PATTERN || repeatsItself(url);
      (isOdd ? others : favored).push({ url, depth, isOdd });
    },
    take(oddToo: boolean): Queued | undefined {
      if (taken < favored.length) return favored[taken++];
      return oddToo && othersTaken < others.length ? others[othersTaken++] : undefined;
    },
    isEmpty: () => taken >= favored.length && othersTaken >= others.length,
    seen: () => queued.size,
  };
}

/** Equal for addresses that differ only in numbers and in the values of their query. */
function patternOf(address: string): string {
  const url = new URL(address);
  return `${url.pathname.replace(/\d+/g, '0')}?${[...url.searchParams.keys()].join('&')}`;
}

/** True for the addresses of a faulty relative link, which leads ever deeper into the same folders. */
function repeatsItself(address: string): boolean {
  const segments = new URL(address).pathname.split('/').filter(Boolean);
  return segments.length - new Set(segments).size >= 2;
}
