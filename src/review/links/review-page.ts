import { fragmentOf, withoutFragment } from './address.ts';
import type { Checker } from './checker.ts';
import type { FaultyLink } from './findings.ts';
import type { PageLink, PageLinks } from './page-links.ts';

const MAX_IMPORT_DEPTH = 5;

/** Checks every address of a page; each faulty one is reported once, where it stands first. */
export async function faultsOf(
  page: PageLinks,
  checker: Checker,
  signal?: AbortSignal,
): Promise<FaultyLink[]> {
  checker.learn(page);
  const byUrl = new Map<string, { link: PageLink; count: number; kinds: Set<string>; stylesheet?: string }>();
  const note = (link: PageLink, stylesheet?: string) => {
    const known = byUrl.get(link.url);
    if (known) known.count++;
    else byUrl.set(link.url, { link, count: 1, kinds: new Set(), stylesheet });
    byUrl.get(link.url)!.kinds.add(link.kind);
  };
  for (const link of page.links) note(link);
  const sheets = page.links.filter(({ kind, valid }) => kind === 'stylesheet' && valid);
  await noteSheets(sheets, note, checker, signal);

  const entered = new Set(
    page.links
      .filter(
        ({ valid, kind, url }) => valid && (kind === 'anchor' || kind === 'area') && fragmentOf(url) !== '',
      )
      .map(({ url }) => withoutFragment(url)),
  );
  const checked = await Promise.all(
    [...byUrl.values()].map(async ({ link, kinds, ...rest }) => {
      // What a form's target must be forgiven, a link to the same address must not.
      const kind = kinds.has('anchor') ? 'anchor' : link.kind;
      const isEntered = link.valid && entered.has(withoutFragment(link.url));
      const fault = await checker.check({ ...link, kind }, signal, isEntered);
      return fault && { link, fault, ...rest };
    }),
  );
  return checked.filter((faulty) => faulty !== undefined);
}

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
