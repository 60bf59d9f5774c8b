import { setTimeout as wait } from 'node:timers/promises';
import { pageKey, withoutFragment } from './address.ts';
import type { Checker } from './checker.ts';
import type { Reached } from './follow-redirects.ts';
import type { LinkKind, PageLinks } from './page-links.ts';
import { whyUnread } from './why-unread.ts';

export interface CrawlOptions {
  seedUrl: string;
  maxPages: number;
  /** Beyond how many steps from the seed no page is visited; without it, or 0, any. */
  maxDepth?: number;
  timeoutMs?: number;
  /** Whether a page may be listed; what is refused is still followed, as a way to others. */
  accept?(url: string): boolean;
  checker: Checker;
  signal?: AbortSignal;
  onPage?(page: PageLinks): void;
}

export interface Crawled {
  /** Pages of the site in the order of their discovery, each under the address that answered. */
  urls: string[];
  /** All addresses of the site that were seen, visited or not. */
  totalUrlsFound: number;
  pagesVisited: number;
  status: 'complete' | 'max-pages' | 'timeout';
  /** What kept the seed itself from being read. */
  seedFailure?: string;
}

const FOLLOWED = new Set<LinkKind>(['anchor', 'area', 'frame', 'refresh', 'relation']);
const WINDOW = 32;
// Pages that are not to be listed are visited on the way to others, but not without end.
const MAX_VISITS_PER_LISTED = 10;
// Of one pattern of addresses, as a calendar makes them without end, so many go first; the rest waits.
const FAVOURED_PER_PATTERN = 50;

/**
 * Lists the pages of a site that can be reached from one of them, breadth first.
 * Ignores robots.txt and `nofollow`: who has a site reviewed wants its closed corners and staging copies too.
 */
export async function crawl(options: CrawlOptions): Promise<Crawled> {
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
  const reading: { depth: number; isOdd: boolean; reached: Promise<Reached | undefined> }[] = [];
  const isFull = () =>
    urls.length + reading.length >= maxPages || pagesVisited >= maxPages * MAX_VISITS_PER_LISTED;

  while (true) {
    while (reading.length < WINDOW && !isFull()) {
      // Pages still being read may name better ones, so what is odd waits for them.
      const next = queue.take(reading.every(({ isOdd }) => isOdd));
      if (!next) break;
      const reached = checker.read(next.url, signal).catch(() => undefined);
      reading.push({ depth: next.depth, isOdd: next.isOdd, reached });
    }
    const head = reading.shift();
    if (!head) break;
    const reached = await head.reached;
    if (signal.aborted) break;
    const page = reached?.final.page;
    const url = reached?.final.url;
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
    // Reading many pages is much work; other work of the process gets its turn in between.
    if (pagesVisited % WINDOW === 0) await wait(0);
  }
  options.signal?.throwIfAborted();
  const status = timeout.aborted ? 'timeout' : queue.isEmpty() ? 'complete' : 'max-pages';
  return { urls, totalUrlsFound: queue.seen(), pagesVisited, status };
}

/** A page that names the same path without its query as its proper address is that page again. */
function isCopy(page: PageLinks, visited: Set<string>): boolean {
  const canonical = page.canonical === undefined ? null : URL.parse(page.canonical);
  const own = new URL(page.finalUrl);
  if (canonical?.host !== own.host || canonical.pathname !== own.pathname) return false;
  return canonical.search !== own.search && visited.has(pageKey(canonical.href));
}

interface Queued {
  url: string;
  depth: number;
  /** Of a pattern that has had its turn, or leading in circles. */
  isOdd: boolean;
}

function createQueue() {
  const named = new Set<string>();
  const queued = new Set<string>();
  const counts = new Map<string, number>();
  const favoured: Queued[] = [];
  const others: Queued[] = [];
  let taken = 0;
  let othersTaken = 0;
  return {
    add(url: string, depth: number) {
      // Most links name what others named before; only new addresses are worth taking apart.
      if (named.has(url)) return;
      named.add(url);
      const key = pageKey(url);
      if (queued.has(key)) return;
      queued.add(key);
      const pattern = patternOf(url);
      const count = (counts.get(pattern) ?? 0) + 1;
      counts.set(pattern, count);
      const isOdd = count > FAVOURED_PER_PATTERN || repeatsItself(url);
      (isOdd ? others : favoured).push({ url, depth, isOdd });
    },
    take(oddToo: boolean): Queued | undefined {
      if (taken < favoured.length) return favoured[taken++];
      return oddToo && othersTaken < others.length ? others[othersTaken++] : undefined;
    },
    isEmpty: () => taken >= favoured.length && othersTaken >= others.length,
    seen: () => queued.size,
  };
}

/** Addresses that differ in their numbers and values only. */
function patternOf(address: string): string {
  const url = new URL(address);
  return `${url.pathname.replace(/\d+/g, '0')}?${[...url.searchParams.keys()].join('&')}`;
}

/** Relative links gone wrong lead ever deeper through the same folders. */
function repeatsItself(address: string): boolean {
  const segments = new URL(address).pathname.split('/').filter(Boolean);
  return segments.length - new Set(segments).size >= 2;
}
