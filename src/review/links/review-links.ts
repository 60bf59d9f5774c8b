import type { RedirectChain } from './follow-redirects.ts';
import type { Checker } from './link-checker.ts';
import type { FaultyLink } from './link-findings.ts';
import { fragmentOf, withoutFragment } from './page/address.ts';
import type { PageLink, PageLinks } from './page/page-links.ts';

const MAX_IMPORT_DEPTH = 5;

/** An address with all its places on a page. */
interface NamedAddress {
  /** The first link to it. */
  link: PageLink;
  count: number;
  kinds: Set<string>;
  stylesheet?: string;
}

/** An address that works, with the way to its answer. */
export interface WorkingLink extends Pick<NamedAddress, 'link' | 'count' | 'stylesheet'> {
  chain: RedirectChain;
}

export interface LinkReview {
  faults: FaultyLink[];
  working: WorkingLink[];
  /** Addresses without an outcome when the time was up. */
  unchecked: string[];
}

interface ReviewOptions {
  timeUp?: AbortSignal | undefined;
  /** False for a link that is not to be checked. */
  isWanted?(link: PageLink): boolean;
}

/**
 * Checks every address of a page. Reports each fault once, at the first link with it. When `timeUp` aborts, the
 * addresses without an outcome stay unchecked, and the others keep theirs.
 */
export async function reviewLinks(
  page: PageLinks,
  checker: Checker,
  signal?: AbortSignal,
  { timeUp, isWanted = () => true }: ReviewOptions = {},
): Promise<LinkReview> {
  const either = AbortSignal.any([signal, timeUp].filter((one) => one !== undefined));
  const unchecked: string[] = [];
  checker.learn(page);
  const byUrl = new Map<string, NamedAddress>();
  const note = (link: PageLink, stylesheet?: string): boolean => {
    if (!isWanted(link)) return false;
    const known = byUrl.get(link.url);
    if (known) known.count++;
    else byUrl.set(link.url, { link, count: 1, kinds: new Set(), stylesheet });
    byUrl.get(link.url)!.kinds.add(link.kind);
    return true;
  };
  const withFragment = new Set(
    page.links
      .filter(
        ({ valid, kind, url }) => valid && (kind === 'anchor' || kind === 'area') && fragmentOf(url) !== '',
      )
      .map(({ url }) => withoutFragment(url)),
  );
  const ignoreIfTimeUp = (error: unknown) => {
    if (!timeUp?.aborted || signal?.aborted) throw error;
  };
  const check = async ({ link, kinds }: NamedAddress) => {
    // Forms are judged more leniently than links to the same address.
    const kind = kinds.has('anchor') ? 'anchor' : link.kind;
    const wantContent = link.valid && withFragment.has(withoutFragment(link.url));
    return checker.inspect({ ...link, kind }, either, wantContent).catch((error: unknown) => {
      ignoreIfTimeUp(error);
      unchecked.push(link.url);
      return undefined;
    });
  };

  for (const link of page.links) note(link);
  const own = [...byUrl.values()];
  const sheets = page.links.filter((link) => link.kind === 'stylesheet' && link.valid && isWanted(link));
  // Starts before the checks, so that the checks of the sheets join these requests.
  const reading = noteSheets(sheets, note, checker, either).catch(ignoreIfTimeUp);
  // A slow sheet delays only the checks of the addresses in it.
  const [ofPage, ofSheets] = await Promise.all([
    Promise.all(own.map(check)),
    reading.then(() => Promise.all([...byUrl.values()].slice(own.length).map(check))),
  ]);
  const found = [...ofPage, ...ofSheets];
  const faults: FaultyLink[] = [];
  const working: WorkingLink[] = [];
  for (const [index, { link, count, stylesheet }] of [...byUrl.values()].entries()) {
    const { fault, chain } = found[index] ?? {};
    if (fault) faults.push({ link, fault, count, stylesheet });
    else if (chain) working.push({ link, chain, count, stylesheet });
  }
  return { faults, working, unchecked };
}

export const faultsOf = async (page: PageLinks, checker: Checker, signal?: AbortSignal) =>
  (await reviewLinks(page, checker, signal)).faults;

/** Adds the addresses in stylesheets and their imports: a file that is missing there is missing from the page. */
async function noteSheets(
  sheets: PageLink[],
  note: (link: PageLink, stylesheet: string) => boolean,
  checker: Checker,
  signal?: AbortSignal,
): Promise<void> {
  const seen = new Set<string>();
  let level = sheets;
  for (let depth = 0; depth < MAX_IMPORT_DEPTH && level.length > 0; depth++) {
    const fresh = level.filter(({ url }) => !seen.has(url) && seen.add(url));
    const named = await Promise.all(fresh.map((sheet) => linksOfSheet(sheet, checker, signal)));
    const links = named.flat();
    const noted = links.filter(({ link, sheetUrl }) => note(link, sheetUrl));
    level = noted.map(({ link }) => link).filter(({ kind }) => kind === 'stylesheet');
  }
}

async function linksOfSheet(sheet: PageLink, checker: Checker, signal?: AbortSignal) {
  const { final } = await checker.read(sheet.url, signal);
  return (final.css ?? []).flatMap(({ url: raw, kind }) => {
    const url = URL.parse(raw, final.url);
    if (!url || !/^https?:$/.test(url.protocol)) return [];
    const internal = sheet.internal && url.host === new URL(sheet.url).host;
    const link: PageLink = { ...sheet, url: url.href, rawHref: raw, kind, internal };
    return [{ link, sheetUrl: final.url }];
  });
}
