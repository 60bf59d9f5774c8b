import type { Db } from '../../db/tables.ts';
import { plural } from '../../lib/text/plural.ts';
import { addUsage, NO_USAGE, type TokenUsage } from '../../outside/models/models.ts';
import { type Finding, isOpen, type Severity } from '../../shapes/agents/execution.ts';
import type { ResultsSummary, RunOutcome, Verdict } from '../../shapes/agents/run.ts';
import { countFindings, type FindingCounts, gravestFindings } from '../../store/agents/execution-findings.ts';
import type { RunRef } from '../../store/agents/execution-leases.ts';
import { listOutcomes, type PageOutcome } from '../../store/agents/execution-pages.ts';
import type { ExecutionRow } from '../../store/agents/executions.ts';
import { comparisonOf } from '../findings/compare-with-previous-run.ts';

export type FinalStatus = Exclude<ExecutionRow['status'], 'running'>;

const MAX_SAMPLES = 50;
const MAX_REASONS = 3;

/** Sums over the pages of a run so far. */
export interface RunResults {
  pages: PageOutcome[];
  counts: FindingCounts;
  /** The gravest findings, up to `MAX_SAMPLES`. */
  gravest: Finding[];
}

export async function readResults(db: Db, ref: RunRef): Promise<RunResults> {
  const [pages, counts, gravest] = [
    await listOutcomes(db, ref),
    await countFindings(db, ref),
    await gravestFindings(db, ref, MAX_SAMPLES),
  ];
  return { pages, counts, gravest };
}

/** Numbers by which the status and the verdict of a run are decided. */
export interface Totals {
  /** Number of pages that were not skipped. */
  processed: number;
  errored: number;
  skipped: number;
  findings: number;
  /** Number of findings that no person has rejected or resolved. */
  open: number;
  /** True if the run's limit left out pages of the site. */
  isCut: boolean;
}

export function totalsOf({ pages, counts }: RunResults, { crawlerResults }: RunOutcome): Totals {
  const skipped = pages.filter((page) => page.status === 'skipped').length;
  return {
    processed: pages.length - skipped,
    errored: pages.filter((page) => page.status === 'failed').length,
    skipped,
    findings: countOf(counts),
    open: countOf(counts, isOpenCount),
    isCut: pagesLeftOut(crawlerResults) > 0,
  };
}

/**
 * Final status of a run: `error` if all pages failed, `partial` if some did or were left out, `failed` if there are
 * findings.
 */
export function statusOf({ processed, errored, skipped, findings, isCut }: Totals): FinalStatus {
  if (processed === 0 && skipped > 0) return 'skipped';
  if (processed === 0 || errored >= processed) return 'error';
  if (errored > 0 || isCut) return 'partial';
  return findings > 0 ? 'failed' : 'passed';
}

/** The judgment of a run on the site: findings that a person has rejected or resolved do not count. */
export function verdictOf(status: FinalStatus, { open, skipped }: Totals): Verdict {
  if (status === 'error') return 'broken';
  if (open > 0) return 'findings';
  return status === 'partial' || skipped > 0 ? 'incomplete' : 'clean';
}

type Count = FindingCounts[number];

const isOpenCount = ({ decision }: Count): boolean => isOpen({ decision: decision ?? undefined });

const countOf = (counts: FindingCounts, matches: (one: Count) => boolean = () => true): number =>
  counts.filter(matches).reduce((sum, { count }) => sum + count, 0);

/** Number of pages that the crawl knew of and that are not part of the run. */
const pagesLeftOut = (crawlerResults: RunOutcome['crawlerResults']): number =>
  typeof crawlerResults?.pagesLeft === 'number' ? crawlerResults.pagesLeft : 0;

/** `resultsSummary` of an execution. */
export function summarize(
  { pages, counts, gravest }: RunResults,
  {
    crawlerResults,
    siteWideAnnotations = 0,
  }: Pick<RunOutcome, 'crawlerResults' | 'siteWideAnnotations'> = {},
): ResultsSummary {
  const done = pages.filter((page) => page.processedAt !== null);
  const skipped = done.filter((page) => page.status === 'skipped');
  const processed = done.filter((page) => page.status !== 'skipped');
  const errored = processed.filter((page) => page.status === 'failed');
  const annotations = processed.reduce((sum, page) => sum + page.annotationsCreated, siteWideAnnotations);
  const heldBack = processed.flatMap((page) => page.detail.heldBack ?? []).length;
  const findings = countOf(counts);
  const open = countOf(counts, isOpenCount);
  const severityCounts: Partial<Record<Severity, number>> = {};
  for (const { severity, count } of counts)
    severityCounts[severity] = (severityCounts[severity] ?? 0) + count;
  const compared =
    counts.some(({ comparison }) => comparison !== null) || done.some(({ detail }) => detail.fixed);
  const left = pagesLeftOut(crawlerResults);
  const chosen = processed.filter(({ detail }) => detail.rendered !== undefined);
  const rendered = chosen.filter(({ detail }) => detail.rendered).length;
  const reviewed =
    left > 0
      ? `${processed.length} of at least ${plural(pages.length + left, 'page')}`
      : plural(processed.length, 'page');
  return {
    totalFindings: findings,
    totalAnnotationsCreated: annotations,
    urlsProcessed: processed.length,
    urlsWithFindings: processed.filter((page) => page.findingCount > 0).length,
    urlsErrored: errored.length,
    ...(errored.length > 0 && {
      erroredUrls: errored.slice(0, MAX_SAMPLES).map((page) => ({
        url: page.url,
        message: page.detail.error?.message ?? '',
      })),
    }),
    ...(skipped.length > 0 && {
      urlsSkipped: skipped.length,
      skippedUrls: skipped
        .slice(0, MAX_SAMPLES)
        .map((page) => ({ url: page.url, message: page.detail.summary ?? '' })),
    }),
    ...(left > 0 && { urlsLeftOut: left }),
    ...(chosen.length > 0 && { urlsRendered: rendered }),
    issuesCreated: findings,
    open,
    decided: findings - open,
    ...(compared && {
      new: countOf(counts, ({ comparison }) => comparison === 'new'),
      fixed: done.reduce((sum, { detail }) => sum + (detail.fixed?.count ?? 0), 0),
    }),
    severityCounts,
    ...(heldBack > 0 && { heldBack }),
    findings: gravest.map(({ title, description, severity, sourceUrl, issueType, url }) => ({
      title,
      description,
      severity,
      sourceUrl,
      issueType,
      url,
    })),
    summary:
      processed.length === 0 && skipped.length > 0
        ? skippedNote(skipped)
        : [
            `Found ${plural(findings, 'issue')} across ${reviewed}.`,
            ...(open < findings ? [decidedNote(findings - open)] : []),
            `${plural(annotations, 'annotation')} created.${heldBackNote(heldBack)}`,
            ...(skipped.length > 0 ? [skippedNote(skipped)] : []),
            ...(chosen.length > 1 ? [`${rendered} of ${chosen.length} pages rendered.`] : []),
          ].join(' '),
  };
}

const decidedNote = (count: number): string =>
  `${count === 1 ? '1 of them was' : `${count} of them were`} rejected or resolved before.`;

/** Number of skipped pages with their reasons, each reason once. */
function skippedNote(skipped: PageOutcome[]): string {
  const reasons = [...new Set(skipped.map((page) => page.detail.summary ?? ''))];
  const more = reasons.length > MAX_REASONS ? ' …' : '';
  const was = skipped.length === 1 ? 'was' : 'were';
  return `${plural(skipped.length, 'page')} ${was} skipped: ${reasons.slice(0, MAX_REASONS).join(' ')}${more}`;
}

const heldBackNote = (count: number): string =>
  count === 0
    ? ''
    : ` ${plural(count, 'finding')} ${count === 1 ? 'was' : 'were'} held back, since reviewers keep rejecting such.`;

/** Results of a run so far: `reported` goes to the API and into the event, `outcome` is stored with the execution. */
export function resultsSoFar(results: RunResults, outcome: RunOutcome, comparedWith: string | undefined) {
  const resultsSummary = summarize(results, outcome);
  const { tokenUsage, llmModel } = modelCosts(results.pages, outcome);
  const comparison = comparisonOf(results, comparedWith);
  const reported = { resultsSummary, tokenUsage, ...(llmModel && { llmModel }) };
  return { reported, outcome: { ...outcome, ...reported, ...(comparison && { comparison }) } };
}

/** Tokens spent on pages and on questions about the run as a whole; `llmModel` is the first model that was used. */
function modelCosts(
  pages: PageOutcome[],
  outcome: RunOutcome,
): { tokenUsage: TokenUsage; llmModel: string | undefined } {
  const ofRun = outcome.asked ?? {};
  const usages = [...pages.map((page) => page.detail.usage), ofRun.usage];
  return {
    tokenUsage: usages.reduce<TokenUsage>((sum, usage) => addUsage(sum, { ...NO_USAGE, ...usage }), NO_USAGE),
    llmModel: pages.map((page) => page.detail.llmModel).find(Boolean) ?? ofRun.llmModel,
  };
}
