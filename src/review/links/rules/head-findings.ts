import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import type { Checker } from '../link-checker.ts';
import { linkIssue } from '../link-rules.ts';
import { isInternalHost } from '../outside-reach.ts';
import { pageKey } from '../page/address.ts';
import type { PageHead } from '../page/page-head.ts';
import type { PageLinks } from '../page/page-links.ts';
import { codeFault } from './hreflang-code.ts';

type Alternate = PageHead['alternates'][number];

interface Options {
  checker: Checker;
  signal: AbortSignal;
  /** False for an address that is not to be requested. */
  isWanted(url: string): boolean;
}

const samePage = (one: string, other: string): boolean => {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  return a !== null && b !== null && pageKey(a.href) === pageKey(b.href);
};

/**
 * Contradictions between what a page says of its address and its languages, and what the pages say to which it refers.
 * Addresses that cannot be read are left to the check of links.
 */
export async function headFindings(page: PageLinks, options: Options): Promise<DraftFinding[]> {
  const { head } = page;
  if (!head) return [];
  const [ofCanonical, ofLanguages] = await Promise.all([
    canonicalFindings(page, head, options),
    hreflangFindings(page, head, options),
  ]);
  return [...ofCanonical, ...ofLanguages];
}

async function canonicalFindings(page: PageLinks, head: PageHead, options: Options): Promise<DraftFinding[]> {
  const [canonical, ...others] = head.canonicals;
  if (canonical === undefined) return [];
  const finding = findingOn(page, canonical);
  if (others.length > 0) {
    return [
      finding({
        title: 'Several canonical addresses',
        description: `The page names ${head.canonicals.length} different canonical addresses: ${head.canonicals.join(', ')}. Search engines ignore all of them.`,
        suggestion: 'Keep one of them.',
        ...linkIssue('canonical-contradiction'),
        cause: 'several canonical addresses',
      }),
    ];
  }
  if (samePage(canonical, page.finalUrl)) return [];
  const found: DraftFinding[] = [];
  if (isInternalHost(canonical) && !isInternalHost(page.finalUrl)) {
    found.push(
      finding({
        title: 'Canonical address on an internal host',
        description: `The page calls ${canonical} its address, on a host that only an internal network knows.`,
        suggestion: `Name the address on ${new URL(page.finalUrl).host}.`,
        ...linkIssue('canonical-host'),
        cause: `canonical host ${new URL(canonical).host}`,
      }),
    );
  }
  if (head.noindex) {
    found.push(
      finding({
        title: 'Canonical address on a page with noindex',
        description: `The page asks search engines to leave it out (noindex), and to take ${canonical} in its place. Some then leave out that page too.`,
        suggestion: 'Remove one of the two.',
        ...linkIssue('canonical-contradiction'),
        severity: 'low',
        cause: 'canonical and noindex',
      }),
    );
  }
  const ownCode = head.alternates.find(({ url }) => samePage(url, page.finalUrl))?.code;
  if (ownCode !== undefined && !head.alternates.some(({ url }) => samePage(url, canonical))) {
    found.push(
      finding({
        title: 'Canonical address and languages contradict one another',
        description: `The page calls itself the version for ${ownCode}, and ${canonical} its address, which it names for no language. Search engines then ignore the languages.`,
        suggestion:
          'Make the page its own canonical address, or list the canonical address among the languages.',
        ...linkIssue('canonical-contradiction'),
        cause: 'canonical and hreflang',
      }),
    );
  }
  // A copy of a site often names the original, which is not the site under review.
  const isOwn = URL.parse(canonical)?.host === new URL(page.finalUrl).host;
  return isOwn ? [...found, ...(await canonicalTarget(canonical, finding, options))] : found;
}

/** Where the canonical address leads. */
async function canonicalTarget(
  canonical: string,
  finding: ReturnType<typeof findingOn>,
  options: Options,
): Promise<DraftFinding[]> {
  const chain = await readIfWanted(canonical, options);
  const target = chain?.final.page;
  if (!chain || !target) return [];
  if (chain.redirects.length > 0 && !samePage(chain.final.url, canonical)) {
    return [
      finding({
        title: 'Canonical address redirects',
        description: `The page calls ${canonical} its address, which redirects to ${chain.final.url}.`,
        suggestion: `Name ${chain.final.url}.`,
        ...linkIssue('canonical-redirect'),
        cause: `canonical redirect ${chain.final.url}`,
      }),
    ];
  }
  const [next] = target.head?.canonicals ?? [];
  if (next !== undefined && !samePage(next, chain.final.url)) {
    return [
      finding({
        title: 'Canonical address names another one',
        description: `The page calls ${canonical} its address, and that page calls ${next} its own.`,
        suggestion: `Name ${next}, or make ${canonical} its own canonical address.`,
        ...linkIssue('canonical-chain'),
        cause: `canonical chain ${canonical}`,
      }),
    ];
  }
  return target.head?.noindex
    ? [
        finding({
          title: 'Canonical address has noindex',
          description: `The page calls ${canonical} its address, which asks search engines to leave it out (noindex).`,
          suggestion: 'Name a page that search engines may list.',
          ...linkIssue('canonical-contradiction'),
          cause: `canonical noindex ${canonical}`,
        }),
      ]
    : [];
}

async function hreflangFindings(page: PageLinks, head: PageHead, options: Options): Promise<DraftFinding[]> {
  const found = await Promise.all(
    head.alternates.map(async (one): Promise<DraftFinding[]> => {
      const fault = codeFault(one.code);
      if (fault !== undefined) return [invalidCode(one, fault)];
      if (samePage(one.url, page.finalUrl)) return [];
      return await alternateFindings(page, head, one, options);
    }),
  );
  return found.flat();
}

const invalidCode = (one: Alternate, fault: string): DraftFinding => ({
  ...placeOf(one),
  title: `Invalid language code: ${one.code || 'empty'}`,
  description: `The value “${one.code}” of hreflang ${fault}. Search engines ignore the entry.`,
  suggestion: 'Use a code such as de, pt-BR or x-default.',
  ...linkIssue('invalid-hreflang'),
  cause: `hreflang ${one.code}`,
});

async function alternateFindings(
  page: PageLinks,
  head: PageHead,
  one: Alternate,
  options: Options,
): Promise<DraftFinding[]> {
  const chain = await readIfWanted(one.url, options);
  const target = chain?.final.page;
  // Scripts may add the entries that are missing.
  if (!chain || !target?.head || (target.scripted && target.head.alternates.length === 0)) return [];
  const [canonical] = target.head.canonicals;
  // A copy of a site often names the original, which is not the site under review.
  const isOnSite = canonical !== undefined && URL.parse(canonical)?.host === new URL(chain.final.url).host;
  if (isOnSite && !samePage(canonical, chain.final.url)) {
    return [
      {
        ...placeOf(one),
        title: `The version for ${one.code} names another canonical address`,
        description: `The page refers readers of ${one.code} to ${one.url}, which calls ${canonical} its address. Search engines then ignore the entry.`,
        suggestion: `Refer to ${canonical}, or correct the canonical address there.`,
        ...linkIssue('hreflang-contradiction'),
        cause: `hreflang canonical ${one.url}`,
      },
    ];
  }
  const own = [page.finalUrl, ...head.canonicals];
  if (target.head.alternates.some(({ url }) => own.some((address) => samePage(url, address)))) return [];
  const host = new URL(one.url).host;
  return [
    {
      ...placeOf(one),
      title: `No return link from the version for ${one.code}`,
      description: `The page refers readers of ${one.code} to ${one.url}, which does not refer back to it. Search engines ignore an entry without a return link.`,
      suggestion: `Add the languages of this page to ${one.url}.`,
      ...linkIssue('hreflang-no-return'),
      cause: `hreflang return ${host} ${one.code.toLowerCase()}`,
    },
  ];
}

async function readIfWanted(url: string, { checker, signal, isWanted }: Options) {
  if (!/^https?:/.test(url) || !isWanted(url)) return undefined;
  const chain = await checker.read(url, signal);
  return chain.problem === undefined ? chain : undefined;
}

const placeOf = ({ url, selector, snippet }: Alternate) => ({
  url,
  htmlSelector: selector,
  htmlSnippet: snippet,
  findingType: 'page' as const,
  isPageLevel: true,
  confidence: 90,
});

/** A function that completes findings about the canonical address of a page. */
function findingOn(page: PageLinks, canonical: string) {
  const element = page.links.find(({ kind, url }) => kind === 'relation' && url === canonical);
  return (
    fields: Pick<DraftFinding, 'title' | 'description' | 'suggestion' | 'severity' | 'issueType' | 'cause'>,
  ): DraftFinding => ({
    ...fields,
    url: canonical,
    ...(element && { htmlSelector: element.selector, htmlSnippet: element.snippet }),
    findingType: 'page',
    isPageLevel: true,
    confidence: 90,
  });
}
