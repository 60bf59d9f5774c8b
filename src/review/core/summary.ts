import { addUsage, NO_USAGE, type TokenUsage } from '../../outside/models/models.ts';
import { type Severity, severities } from '../../shapes/agents/execution.ts';
import type { ResultsSummary, RunOutcome } from '../../shapes/agents/run.ts';
import type { PageRow } from '../../store/agents/execution-pages.ts';
import type { ExecutionRow } from '../../store/agents/executions.ts';
import { comparisonOf } from '../findings/compare-page.ts';

export type FinalStatus = Exclude<ExecutionRow['status'], 'running'>;

const MAX_SAMPLES = 50;
const MAX_REASONS = 3;

/** Status of a run: error before partial, partial before failed, failed before passed; skipped with no other page. */
export function statusOf({
  processed,
  errored,
  skipped,
  findings,
}: {
  /** Without those that were skipped. */
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

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `resultsSummary` of an execution, from its pages. */
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

/** What a run came to by now, for its outcome and for whoever is told that it ended. */
export function standingOf(pages: PageRow[], outcome: RunOutcome, comparedWith: string | undefined) {
  const resultsSummary = summarize(pages);
  const { tokenUsage, llmModel } = spentOn(pages, outcome);
  const comparison = comparisonOf(pages, comparedWith);
  const told = { resultsSummary, tokenUsage, ...(llmModel && { llmModel }) };
  return { told, noted: { ...outcome, ...told, ...(comparison && { comparison }) } };
}

/** What a run's pages, and what was asked of a model about all of them, took. */
function spentOn(
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
