import type { z } from 'zod';
import { plural } from '../../lib/text/plural.ts';
import { type DraftFinding, severities } from '../../shapes/agents/execution.ts';
import { linkOptions } from '../../shapes/agents/service-options.ts';
import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import { whyUnread } from '../links/follow-redirects.ts';
import { type FaultyLink, findingOf } from '../links/link-findings.ts';
import { linkRules } from '../links/link-rules.ts';
import { isHostFault, isOutside } from '../links/outside-reach.ts';
import { withoutFragment } from '../links/page/address.ts';
import type { PageLink, PageLinks } from '../links/page/page-links.ts';
import { isOutsideSilent, linkCheckerOf, outsideReachOf } from '../links/rendering/link-checker-of-run.ts';
import { type LinkReview, reviewLinks } from '../links/review-links.ts';
import { adviceOn } from '../links/rules/advice.ts';
import { factsOf } from '../links/rules/site-facts.ts';
import { createSoft404 } from '../links/rules/soft-404.ts';
import { createSkip } from '../links/skipped-addresses.ts';
import { linksOfSite } from './broken-links-site.ts';
import type { Service } from './review-service.ts';

export interface LinksData {
  linksChecked: number;
  linksBroken: number;
  /** Addresses without an answer when the time was up, or outside while no host there answers. */
  linksUnchecked?: number;
  /** Number of findings beyond `maxFindings`, and those about broken addresses by their `errorType`. */
  findingsOmitted?: number;
  omittedByErrorType?: Record<string, number>;
  /** The need of a browser for reading the links, with its reason. */
  reading?: PageLinks['reading'];
}

/**
 * Finds every address of a page that fails its readers, on the rendered page if it was gathered. Findings about broken
 * addresses have an `errorType`; those of further rules, such as on redirects and languages, have none.
 */
export const brokenLinks: Service = {
  id: 'broken-links',
  isPublic: true,
  reads: ['web-page-links'],
  isQuick: false,
  rules: { category: 'links', table: linkRules },
  choice: {
    demand: 'whether links work',
    askedBy:
      /\b(broken|dead|404)\b.*\b(links?|urls?|hrefs?)\b|\b(links?|urls?|hrefs?)\b.*\b(works?|working|functional|broken|dead|resolves?|valid|reachable|404|not found)\b/i,
    unless: /\b(new (tab|window)|hover|colou?rs?|underlin|styles?|texts?|labels?|names?|descriptive|focus)/i,
    reason: 'Whether links work is checked by asking them, which needs no model.',
    strategies: ['web-page-links'],
    responseAdapter: 'broken-links-response',
  },
  site: linksOfSite,

  async run(task, context) {
    const options = linkOptions.parse(task.execution.strategyOptions?.['broken-links'] ?? {});
    const page = await linksOf(task, context);
    const { timeoutMs, signal } = context;
    const timeUp = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const isAdmitted = admittedBy(options);
    // Once no host outside is known to answer, links there are not even asked.
    const wasSilent = outsideReachOf(context).isKnownSilent();
    const isWanted = (link: PageLink) => isAdmitted(link) && !(wasSilent && isOutside(link));
    const review = await reviewLinks(page, linkCheckerOf(context), signal, { timeUp, isWanted });
    const isSilent = wasSilent || (await seesNothingOutside(review, context, timeUp));
    const broken = brokenFindings(review, isSilent, context);
    const advice = await adviceInTime(page, review, isWanted, context, timeUp);
    const { findings, omitted } = gravest([...broken, ...advice], options.maxFindings);

    const admitted = page.links.filter(isAdmitted);
    const unanswered = isSilent ? countAddresses(admitted.filter(isOutside)) : 0;
    const linksUnchecked = review.unchecked.length + unanswered;
    const linksChecked = Math.max(0, countAddresses(admitted) - linksUnchecked);
    logUnchecked(task.url, review.unchecked, context);
    const seen = context.once('addresses of the site', () => new Set<string>());
    const unjudged = new Set([
      ...page.links.filter((link) => !isAdmitted(link)).map(({ url }) => url),
      ...review.unchecked,
      ...(isSilent ? admitted.filter(isOutside).map(({ url }) => url) : []),
      ...omitted.flatMap(({ url }) => url ?? []),
    ]);
    return {
      findings,
      ...(unjudged.size > 0 && { unjudged }),
      siteFacts: factsOf(page, seen),
      data: {
        linksChecked,
        linksBroken: broken.length,
        ...(page.reading && { reading: page.reading }),
        ...(linksUnchecked > 0 && { linksUnchecked }),
        ...(omitted.length > 0 && {
          findingsOmitted: omitted.length,
          omittedByErrorType: countErrors(omitted),
        }),
      } satisfies LinksData,
      summary: [
        `Checked ${linksChecked} addresses; ${broken.length} of them fail.`,
        ...(advice.length > 0 ? [`There is also advice on ${plural(advice.length, 'place')}.`] : []),
        ...(omitted.length > 0
          ? [`${plural(omitted.length, 'finding')} beyond the limit of the agent are only counted.`]
          : []),
        ...(unanswered > 0
          ? [`No host outside of the site answers, so ${unanswered} addresses there are not judged.`]
          : []),
        ...(review.unchecked.length > 0
          ? [`Time was over before ${review.unchecked.length} more answered.`]
          : []),
      ].join(' '),
    };
  },
};

const countAddresses = (links: readonly PageLink[]): number => new Set(links.map(({ url }) => url)).size;

/** A function that tells whether the options of the agent admit a link. An invalid address is of no host. */
function admittedBy({ internalOnly, skip }: z.infer<typeof linkOptions>): (link: PageLink) => boolean {
  const isSkipped = createSkip(skip);
  return ({ valid, internal, url }) => !valid || ((!internalOnly || internal) && !isSkipped(url));
}

/** True if hosts outside failed that the page names, and none answers at all. */
async function seesNothingOutside(
  { faults }: LinkReview,
  context: PageContext,
  timeUp: AbortSignal | undefined,
): Promise<boolean> {
  if (!faults.some(isOutsideFault)) return false;
  const isSilent = await isOutsideSilent(context, either(context.signal, timeUp)).catch((error: unknown) => {
    if (!timeUp?.aborted || context.signal.aborted) throw error;
    return false;
  });
  if (isSilent)
    context.once('note on hosts outside', () =>
      context.log({
        level: 'warn',
        message:
          'No host outside of the site answers, so addresses there are not judged. Check that this machine reaches other hosts.',
      }),
    );
  return isSilent;
}

const isOutsideFault = ({ link, fault }: FaultyLink): boolean => isOutside(link) && isHostFault(fault);

function brokenFindings({ faults }: LinkReview, isSilent: boolean, context: PageContext): DraftFinding[] {
  const reach = outsideReachOf(context);
  return faults
    .filter((one) => !isSilent || !isOutsideFault(one))
    .map((one) => findingOf(one, isOutsideFault(one) && !reach.hasAnswered(one.fault.finalUrl)));
}

/** The findings of the further rules; none where the time is up before their answers are there. */
async function adviceInTime(
  page: PageLinks,
  { working }: LinkReview,
  isWanted: (link: PageLink) => boolean,
  context: PageContext,
  timeUp: AbortSignal | undefined,
): Promise<DraftFinding[]> {
  const { host } = new URL(page.finalUrl);
  const soft404 = context.once('soft 404', () => createSoft404(context.fetch));
  const signal = either(context.signal, timeUp);
  const isWantedUrl = (url: string) =>
    isWanted({ ...NO_LINK, url, valid: true, internal: URL.parse(url)?.host === host });
  const input = { page, working, checker: linkCheckerOf(context), soft404, signal, isWanted: isWantedUrl };
  return await adviceOn(input).catch((error: unknown) => {
    if (!timeUp?.aborted || context.signal.aborted) throw error;
    return [];
  });
}

const NO_LINK = {
  rawHref: '',
  kind: 'relation',
  text: '',
  occurrence: 1,
  selector: '',
  snippet: '',
} as const;

const either = (signal: AbortSignal, timeUp: AbortSignal | undefined): AbortSignal =>
  timeUp ? AbortSignal.any([signal, timeUp]) : signal;

/** The gravest findings up to a number, in their order on the page, and the others. */
function gravest(
  findings: DraftFinding[],
  limit = Number.POSITIVE_INFINITY,
): { findings: DraftFinding[]; omitted: DraftFinding[] } {
  if (findings.length <= limit) return { findings, omitted: [] };
  const rank = ({ severity }: DraftFinding) => severities.indexOf(severity);
  const kept = new Set(findings.toSorted((a, b) => rank(a) - rank(b)).slice(0, limit));
  return {
    findings: findings.filter((one) => kept.has(one)),
    omitted: findings.filter((one) => !kept.has(one)),
  };
}

function countErrors(findings: readonly DraftFinding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { errorType } of findings)
    if (errorType !== undefined) counts[errorType] = (counts[errorType] ?? 0) + 1;
  return counts;
}

function logUnchecked(url: string, unchecked: readonly string[], { log }: PageContext): void {
  if (unchecked.length === 0) return;
  const message = `${url}: ${unchecked.length} addresses could not be checked in time.`;
  log({ level: 'warn', message, data: { url, unchecked: unchecked.slice(0, 20) } });
}

async function linksOf(task: PageTask, context: PageContext): Promise<PageLinks> {
  const gathered = gatheredLinks(task);
  if (!gathered) return readLinks(task.url, context);
  if (isSamePage(gathered.finalUrl, task.url)) return gathered;
  // The page refreshed to its target in the browser. Its own links are needed, to check the target as one of them.
  const { final } = await linkCheckerOf(context).read(task.url, context.signal);
  const leaves = final.page?.links.some(({ kind }) => kind === 'refresh');
  return final.page && leaves && !isSamePage(gathered.finalUrl, final.url) ? final.page : gathered;
}

const isSamePage = (one: string, other: string) =>
  withoutFragment(URL.parse(one)?.href ?? one) === withoutFragment(URL.parse(other)?.href ?? other);

const gatheredLinks = ({ gathered }: PageTask): PageLinks | undefined =>
  gathered.find(({ name }) => name === 'web-page-links')?.data as PageLinks | undefined;

async function readLinks(url: string, context: PageContext): Promise<PageLinks> {
  const chain = await linkCheckerOf(context).read(url, context.signal);
  if (chain.final.page) return chain.final.page;
  throw new Error(`The page could not be read: ${whyUnread(chain)}.`);
}
