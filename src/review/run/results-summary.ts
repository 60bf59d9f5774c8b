import { plural } from '../../lib/text/plural.ts';
import { addUsage, NO_USAGE, type TokenUsage } from '../../outside/models/models.ts';
import { type Severity, severities } from '../../shapes/agents/execution.ts';
import type { ResultsSummary, RunOutcome } from '../../shapes/agents/run.ts';
import type { PageRow } from '../../store/agents/execution-pages.ts';
import type { ExecutionRow } from '../../store/agents/executions.ts';
import { comparisonOf } from '../findings/compare-with-previous-run.ts';

export type FinalStatus = Exclude<ExecutionRow['status'], 'running'>;

const MAX_SAMPLES = 50;
const MAX_REASONS = 3;

/** Final status of a run: `error` if all pages failed, `partial` if some did, `failed` if there are findings. */
export function statusOf({
  processed,
  errored,
  skipped,
  findings,
}: {
  /** Number of pages that were not skipped. */
  processed: number;
  errored: number;
  skipped: number;
  findings: number;
}): FinalStatus {
  if (processed === 0 && skipped > 0) return 'skipped';
  if (processed === 0 || errored >= processed) return 'error';
  if (errored > 0) return 'partial';
  return findings > 0 ? 'failed' : 'passed';
}

/** `resultsSummary` of an execution. */
export function summarize(pages: PageRow[]): ResultsSummary {
  const done = pages.filter((page) => page.processedAt !== null);
  const skipped = done.filter((page) => page.status === 'skipped');
  const processed = done.filter((page) => page.status !== 'skipped');
  const errored = processed.filter((page) => page.status === 'failed');
  const findings = processed.flatMap((page) => page.findings);
  const annotations = processed.reduce((sum, page) => sum + page.annotationsCreated, 0);
  const heldBack = processed.flatMap((page) => page.detail.heldBack ?? []).length;
  const severityCounts: Partial<Record<Severity, number>> = {};
  for (const { severity } of findings) severityCounts[severity] = (severityCounts[severity] ?? 0) + 1;
  return {
    totalFindings: findings.length,
    totalAnnotationsCreated: annotations,
    urlsProcessed: processed.length,
    urlsWithFindings: processed.filter((page) => page.findings.length > 0).length,
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
    issuesCreated: findings.length,
    severityCounts,
    ...(heldBack > 0 && { heldBack }),
    findings: findings
      .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
      .slice(0, MAX_SAMPLES)
      .map(({ title, description, severity, sourceUrl, issueType, url }) => ({
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
            `Found ${plural(findings.length, 'issue')} across ${plural(processed.length, 'page')}.`,
            `${plural(annotations, 'annotation')} created.${heldBackNote(heldBack)}`,
            ...(skipped.length > 0 ? [skippedNote(skipped)] : []),
          ].join(' '),
  };
}

/** Number of skipped pages with their reasons, each reason once. */
function skippedNote(skipped: PageRow[]): string {
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
export function resultsSoFar(pages: PageRow[], outcome: RunOutcome, comparedWith: string | undefined) {
  const resultsSummary = summarize(pages);
  const { tokenUsage, llmModel } = modelCosts(pages, outcome);
  const comparison = comparisonOf(pages, comparedWith);
  const reported = { resultsSummary, tokenUsage, ...(llmModel && { llmModel }) };
  return { reported, outcome: { ...outcome, ...reported, ...(comparison && { comparison }) } };
}

/** Tokens spent on pages and on questions about the run as a whole; `llmModel` is the first model that was used. */
function modelCosts(
  pages: PageRow[],
  outcome: RunOutcome,
): { tokenUsage: TokenUsage; llmModel: string | undefined } {
  const ofRun = outcome.asked ?? {};
  const usages = [...pages.map((page) => page.detail.usage), ofRun.usage];
  return {
    tokenUsage: usages.reduce<TokenUsage>((sum, usage) => addUsage(sum, { ...NO_USAGE, ...usage }), NO_USAGE),
    llmModel: pages.map((page) => page.detail.llmModel).find(Boolean) ?? ofRun.llmModel,
  };
}
