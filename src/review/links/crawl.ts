import { setTimeout as wait } from 'node:timers/promises';
import { whyUnread } from './follow-redirects.ts';
import type { Checker } from './link-checker.ts';
import { pageKey, routeOf, withoutFragment } from './page/address.ts';
import type { LinkKind } from './page/link-kind.ts';
import type { PageLink, PageLinks } from './page/page-links.ts';
import { createCopies, variantKey } from './page/page-variants.ts';

export interface CrawlOptions {
  seedUrl: string;
  maxPages: number;
  /** Maximum number of links between the seed and a visited page; 0, the default, sets no limit. */
  maxDepth?: number;
  timeoutMs?: number;
  /** False for a page that must not be listed. Its links are followed nevertheless. */
  accept?(url: string): boolean;
  checker: Checker;
  /** Reads a page in a browser. Without it, the links of pages that are drawn by scripts are not found. */
  render?(url: string, signal: AbortSignal): Promise<PageLinks>;
  signal?: AbortSignal;
  /** Called for each page that is not a copy of another, with the address under which it is listed. */
  onPage?(page: PageLinks, url: string): void;
}

export interface CrawlResult {
  /** Pages of the site in the order of their discovery, each under the address that answered. */
  urls: string[];
  /** All addresses of the site that were seen, visited or not. */
  totalUrlsFound: number;
  pagesVisited: number;
  /** Number of known addresses of further pages, which the limit left out. Those of images and archives do not count. */
  pagesLeft: number;
  status: 'complete' | 'max-pages' | 'timeout';
  /** Reason why the seed could not be read. */
  seedFailure?: string;
  /** Address that answered for the seed, after redirects. */
  landed?: string;
}

/** Ends of paths behind which there is a file and no page, but on some wikis. */
const FILE =
  /\.(7z|avif|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|gif|gz|ico|iso|jar|jpe?g|js|json|map|mjs|mov|mp[34]|msi|odt|ogg|otf|pdf|png|pptx?|ps|rpm|rss|svg|tar|tgz|tiff?|ttf|txt|wasm|wav|webm|webp|whl|woff2?|xlsx?|xml|xz|zip)$/i;
const FOLLOWED = new Set<LinkKind>(['anchor', 'area', 'frame', 'refresh', 'relation']);
/** Pages that are fetched ahead, in the order of the queue. */
const WINDOW = 32;
/** Bounds the visits of a crawl that `accept` lets list few pages. */
const MAX_VISITS_PER_LISTED = 10;
/** Addresses beyond the limit that are requested, since some are no pages: a broken link leaves nothing out. */
const LEFT_ASKED = 50;
/** Addresses that a crawl remembers. */
const MAX_KNOWN = 500_000;
/** Addresses of one pattern that are visited early; further ones come last, since a calendar has endless addresses. */
const FAVORED_PER_PATTERN = 50;

/**
 * Lists the pages of a site that links lead to from a seed, breadth first, each once. A page that is drawn by scripts is
 * rendered to find its links, and the routes of its scripts (`#/about`) are pages. Ignores robots.txt and `nofollow`, since the
 * owner of a site has its closed parts and staging copies reviewed as well.
 */
export async function crawl(options: CrawlOptions): Promise<CrawlResult> {
  const { seedUrl, maxPages, maxDepth = 0, timeoutMs = 300_000, accept = () => true, checker } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const seed = await checker.read(seedUrl, signal);
  if (!seed.final.page) {
    return {
      urls: [],
      totalUrlsFound: 0,
      pagesVisited: 0,
      pagesLeft: 0,
      status: 'complete',
      seedFailure: whyUnread(seed),
    };
  }

  const { host } = new URL(seed.final.url);
  const queue = createQueue();
  const visited = new Set<string>();
  const copies = createCopies();
  const urls: string[] = [];
  let pagesVisited = 0;
  queue.add(withoutFragment(seedUrl), 0);
  const reading: { depth: number; isOdd: boolean; visit: Promise<Visit | undefined> }[] = [];
  const isFull = () =>
    urls.length + reading.length >= maxPages || pagesVisited >= maxPages * MAX_VISITS_PER_LISTED;

  while (true) {
    while (reading.length < WINDOW && !isFull()) {
      // Odd addresses wait for the pages that are being read, which may name better ones.
      const next = queue.take(reading.every(({ isOdd }) => isOdd));
      if (!next) break;
      const visit = visitPage(next.url, options, signal).catch(() => undefined);
      reading.push({ depth: next.depth, isOdd: next.isOdd, visit });
    }
    const head = reading.shift();
    if (!head) break;
    const visit = await head.visit;
    if (signal.aborted) break;
    if (!visit || new URL(visit.url).host !== host || visited.has(pageKey(visit.url))) continue;
    const { page, url } = visit;
    visited.add(pageKey(url));
    pagesVisited++;
    if (!copies.isCopy(page, url, visit.isDrawn)) {
      if (accept(url)) urls.push(url);
      options.onPage?.(page, url);
    }
    if (maxDepth > 0 && head.depth >= maxDepth) continue;
    for (const link of page.links)
      if (link.internal && FOLLOWED.has(link.kind)) queue.add(addressOf(link, visit), head.depth + 1);
    // Yields to the event loop, since parsing many pages blocks it.
    if (pagesVisited % WINDOW === 0) await wait(0);
  }
  const known = unvisited(queue.left(), urls, host);
  const left = timeout.aborted ? known : await pagesAmong(known, visited, checker, signal);
  options.signal?.throwIfAborted();
  const status = timeout.aborted ? 'timeout' : left.length === 0 ? 'complete' : 'max-pages';
  const pagesLeft = left.filter(accept).length;
  return { urls, totalUrlsFound: queue.seen(), pagesVisited, pagesLeft, status, landed: seed.final.url };
}

interface Visit {
  /** The address that answered, with the route of the page's scripts if it has one. */
  url: string;
  page: PageLinks;
  isDrawn: boolean;
}

async function visitPage(
  address: string,
  { checker, render }: Pick<CrawlOptions, 'checker' | 'render'>,
  signal: AbortSignal,
): Promise<Visit | undefined> {
  const { final } = await checker.read(address, signal);
  if (!final.page) return undefined;
  const isDrawn = render !== undefined && final.page.scripts?.isDrawn === true;
  if (!isDrawn) return { url: final.url, page: final.page, isDrawn };
  const url = final.url + routeOf(address);
  const rendered = await render(url, signal).catch(() => undefined);
  return { url, page: rendered ?? final.page, isDrawn };
}

/** The address to which a link leads, with its fragment only where scripts draw a page for it. */
const addressOf = ({ url }: PageLink, { isDrawn }: Visit): string =>
  withoutFragment(url) + (isDrawn ? routeOf(url) : '');

/** Addresses that may be pages beside the listed ones, the variants of an address once. */
function unvisited(left: readonly string[], listed: readonly string[], host: string): string[] {
  const variantOf = (url: string) => variantKey(url) + new URL(url).search + routeOf(url);
  const known = new Set(listed.map(variantOf));
  return left.filter((url) => {
    const variant = variantOf(url);
    if (known.has(variant) || new URL(url).host !== host || isFile(url)) return false;
    known.add(variant);
    return true;
  });
}

/** Leaves out those of the first addresses that are no pages, or were visited under another address. */
async function pagesAmong(
  addresses: readonly string[],
  visited: ReadonlySet<string>,
  checker: Checker,
  signal: AbortSignal,
): Promise<string[]> {
  const isPage = async (url: string) => {
    const chain = await checker.read(url, signal).catch(() => undefined);
    if (!chain) return true;
    return chain.final.hasPage === true && !visited.has(pageKey(chain.final.url + routeOf(url)));
  };
  const asked = addresses.slice(0, LEFT_ASKED);
  const answers = await Promise.all(asked.map(isPage));
  return [...asked.filter((_, index) => answers[index]), ...addresses.slice(LEFT_ASKED)];
}

const isFile = (url: string): boolean => FILE.test(new URL(url).pathname);

interface Queued {
  url: string;
  depth: number;
  /** True if its pattern has had many addresses, its path repeats itself, or it is probably no page. */
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
      if (named.has(url) || queued.size >= MAX_KNOWN) return;
      named.add(url);
      const key = pageKey(url);
      if (queued.has(key)) return;
      queued.add(key);
      const pattern = patternOf(url);
      const count = (counts.get(pattern) ?? 0) + 1;
      counts.set(pattern, count);
      const isOdd = count > FAVORED_PER_PATTERN || repeatsItself(url) || isFile(url);
      (isOdd ? others : favored).push({ url, depth, isOdd });
    },
    take(oddToo: boolean): Queued | undefined {
      if (taken < favored.length) return favored[taken++];
      return oddToo && othersTaken < others.length ? others[othersTaken++] : undefined;
    },
    left: () => [...favored.slice(taken), ...others.slice(othersTaken)].map(({ url }) => url),
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
