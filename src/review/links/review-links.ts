import { fragmentOf, withoutFragment } from './address.ts';
import type { Checker } from './link-checker.ts';
import type { FaultyLink } from './link-findings.ts';
import type { PageLink, PageLinks } from './page-links.ts';

const MAX_IMPORT_DEPTH = 5;

/** An address with all its places on a page. */
interface NamedAddress {
  /** The first link to it. */
  link: PageLink;
  count: number;
  kinds: Set<string>;
  stylesheet?: string;
}

export interface LinkReview {
  faults: FaultyLink[];
  /** Addresses without an outcome when the time was up. */
  unchecked: string[];
}

/**
 * Checks every address of a page. Reports each fault once, at the first link with it. When `timeUp` aborts, the
 * addresses without an outcome stay unchecked, and the others keep theirs.
 */
export async function reviewLinks(
  page: PageLinks,
  checker: Checker,
  signal?: AbortSignal,
  timeUp?: AbortSignal,
): Promise<LinkReview> {
  const either = AbortSignal.any([signal, timeUp].filter((one) => one !== undefined));
  const unchecked: string[] = [];
  checker.learn(page);
  const byUrl = new Map<string, NamedAddress>();
  const note = (link: PageLink, stylesheet?: string) => {
    const known = byUrl.get(link.url);
    if (known) known.count++;
    else byUrl.set(link.url, { link, count: 1, kinds: new Set(), stylesheet });
    byUrl.get(link.url)!.kinds.add(link.kind);
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
    return checker.check({ ...link, kind }, either, wantContent).catch((error: unknown) => {
      ignoreIfTimeUp(error);
      unchecked.push(link.url);
      return undefined;
    });
  };

  for (const link of page.links) note(link);
  const own = [...byUrl.values()];
  const sheets = page.links.filter(({ kind, valid }) => kind === 'stylesheet' && valid);
  // Starts before the checks, so that the checks of the sheets join these requests.
  const reading = noteSheets(sheets, note, checker, either).catch(ignoreIfTimeUp);
  // A slow sheet delays only the checks of the addresses in it.
  const [ofPage, ofSheets] = await Promise.all([
    Promise.all(own.map(check)),
    reading.then(() => Promise.all([...byUrl.values()].slice(own.length).map(check))),
  ]);
  const found = [...ofPage, ...ofSheets];
  const faults = [...byUrl.values()].flatMap(({ link, count, stylesheet }, index) => {
    const fault = found[index];
    return fault ? [{ link, fault, count, stylesheet }] : [];
  });
  return { faults, unchecked };
}

export const faultsOf = async (page: PageLinks, checker: Checker, signal?: AbortSignal) =>
  (await reviewLinks(page, checker, signal)).faults;

/** Adds the addresses in stylesheets and their imports: a file that is missing there is missing from the page. */
async function noteSheets(
  sheets: PageLink[],
  note: (link: PageLink, stylesheet: string) => void,
  checker: Checker,
  signal?: AbortSignal,
): Promise<void> {
  const seen = new Set<string>();
  let level = sheets;
  for (let depth = 0; depth < MAX_IMPORT_DEPTH && level.length > 0; depth++) {
    const fresh = level.filter(({ url }) => !seen.has(url) && seen.add(url));
    const named = await Promise.all(fresh.map((sheet) => linksOfSheet(sheet, checker, signal)));
    const links = named.flat();
    for (const { link, sheetUrl } of links) note(link, sheetUrl);
    level = links.map(({ link }) => link).filter(({ kind }) => kind === 'stylesheet');
  }
}

async function linksOfSheet(sheet: PageLink, checker: Checker, signal?: AbortSignal) {
  const { final } = await checker.read(sheet.url, signal);
  return (final.css ?? []).flatMap(({ url: raw, kind }) => {
    const url = URL.parse(raw, final.url);
    if (!url || !/^https?:$/.test(url.protocol)) return [];
    const link: PageLink = { ...sheet, url: url.href, rawHref: raw, kind };
    return [{ link, sheetUrl: final.url }];
  });
}
