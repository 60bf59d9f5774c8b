import { fragmentOf, withoutFragment } from './address.ts';
import type { Checker } from './checker.ts';
import type { FaultyLink } from './findings.ts';
import type { PageLink, PageLinks } from './page-links.ts';

const MAX_IMPORT_DEPTH = 5;

interface Noted {
  link: PageLink;
  count: number;
  kinds: Set<string>;
  stylesheet?: string;
}

export interface Reviewed {
  faults: FaultyLink[];
  /** Addresses that were not answered for when the time was over. */
  unchecked: string[];
}

/**
 * Checks every address of a page; each faulty one is reported once, where it stands first. What is not known
 * when `timeUp` aborts is left unchecked, so that what is known by then is not lost.
 */
export async function reviewLinks(
  page: PageLinks,
  checker: Checker,
  signal?: AbortSignal,
  timeUp?: AbortSignal,
): Promise<Reviewed> {
  const either = AbortSignal.any([signal, timeUp].filter((one) => one !== undefined));
  const unchecked: string[] = [];
  checker.learn(page);
  const byUrl = new Map<string, Noted>();
  const note = (link: PageLink, stylesheet?: string) => {
    const known = byUrl.get(link.url);
    if (known) known.count++;
    else byUrl.set(link.url, { link, count: 1, kinds: new Set(), stylesheet });
    byUrl.get(link.url)!.kinds.add(link.kind);
  };
  const entered = new Set(
    page.links
      .filter(
        ({ valid, kind, url }) => valid && (kind === 'anchor' || kind === 'area') && fragmentOf(url) !== '',
      )
      .map(({ url }) => withoutFragment(url)),
  );
  const orTimeUp = (error: unknown) => {
    if (!timeUp?.aborted || signal?.aborted) throw error;
  };
  const check = async ({ link, kinds }: Noted) => {
    // What a form's target must be forgiven, a link to the same address must not.
    const kind = kinds.has('anchor') ? 'anchor' : link.kind;
    const isEntered = link.valid && entered.has(withoutFragment(link.url));
    return checker.check({ ...link, kind }, either, isEntered).catch((error: unknown) => {
      orTimeUp(error);
      unchecked.push(link.url);
      return undefined;
    });
  };

  for (const link of page.links) note(link);
  const own = [...byUrl.values()];
  const sheets = page.links.filter(({ kind, valid }) => kind === 'stylesheet' && valid);
  // Begun before the sheets are checked, which then need not be asked for twice.
  const reading = noteSheets(sheets, note, checker, either).catch(orTimeUp);
  // A sheet that is slow to come holds up nothing but what it names.
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

/** A file that is missing from a stylesheet is missing from every page that loads the sheet. */
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
