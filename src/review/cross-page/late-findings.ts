import type { Tx } from '../../db/tables.ts';
import { storable } from '../../lib/text/cut-text.ts';
import type { DraftFinding, HeldBack } from '../../shapes/agents/execution.ts';
import type { FixedFindings } from '../../shapes/agents/run.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { addFindings, type PageRow } from '../../store/agents/execution-pages.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import { isEnabled, type Run } from '../core/run-state.ts';
import { compareWithPreviousRun, type IssueFilter } from '../findings/compare-with-previous-run.ts';
import { completeFindings, type FindingsWithPrecedents } from '../findings/finding-to-annotation.ts';
import { guardrails } from '../findings/guardrails.ts';
import { isReported, withSeverities } from '../findings/own-severities.ts';
import { writeFindings } from '../findings/write-findings.ts';
import { applyPrecedents, type PrecedentContext } from '../memory/apply-precedents.ts';

/** The way in which findings are added to pages that have been reviewed. */
export interface LateFindings {
  byModel: boolean;
  /** The issue types of these findings, which the review of the pages left alone. */
  isOwnIssue: IssueFilter;
}

export interface PreparedPage extends FindingsWithPrecedents {
  url: string;
  fixed: FixedFindings | undefined;
  /** Findings that the review of the page held back. */
  heldBack: HeldBack[];
}

/**
 * Turns drafts about a page into findings: numbers them after the page's own findings, applies guardrails and
 * precedents, and compares them with the previous run.
 */
export async function prepareFindings(
  run: Run,
  {
    url,
    findingCount,
    detail,
  }: Pick<PageRow, 'url' | 'findingCount'> & {
    detail: Pick<PageRow['detail'], 'heldBack' | 'fixed'>;
  },
  drafts: DraftFinding[],
  { byModel, isOwnIssue }: LateFindings,
  recall: PrecedentContext,
): Promise<PreparedPage> {
  const complete = withSeverities(completeFindings(drafts, url, byModel), run.request).map(
    (finding, index) => ({ ...finding, id: `finding-${findingCount + index + 1}` }),
  );
  const kept = isEnabled(run.behavior.postProcess?.guardrails) ? guardrails(complete) : complete;
  const withPrecedents = await applyPrecedents(run, url, kept, recall);
  const compared = await compareWithPreviousRun(
    recall.db,
    run,
    url,
    { findings: storable(withPrecedents.findings) },
    reported(run, isOwnIssue),
  );
  return {
    url,
    findings: compared.findings,
    precedents: withPrecedents.precedents,
    heldBack: detail.heldBack ?? [],
    fixed: compared.fixed && addFixed(detail.fixed, compared.fixed),
  };
}

const reported =
  ({ request }: Run, isOwnIssue: IssueFilter): IssueFilter =>
  (issueType) =>
    isOwnIssue(issueType) && isReported(request, issueType);

function addFixed(
  before: FixedFindings | undefined,
  { count, findings, causes = {} }: FixedFindings,
): FixedFindings {
  const sum = { ...before?.causes };
  for (const [causeId, places] of Object.entries(causes)) sum[causeId] = (sum[causeId] ?? 0) + places;
  return {
    count: (before?.count ?? 0) + count,
    findings: [...(before?.findings ?? []), ...findings],
    causes: sum,
  };
}

/** Adds the findings to their page, with `marks` in its detail. Returns lines for the log, once this is committed. */
export async function writeOnPage(
  tx: Tx,
  run: Run,
  document: DocumentRef,
  { url, fixed, heldBack, ...withPrecedents }: PreparedPage,
  isOwnIssue: IssueFilter,
  marks: Pick<PageRow['detail'], 'siteReviewed'> = {},
): Promise<LogLine[]> {
  const suggested = await writeFindings(tx, run, document, url, withPrecedents, reported(run, isOwnIssue));
  await addFindings(tx, { apiKeyId: run.scope.apiKeyId, executionId: run.row.executionId }, url, {
    findings: suggested.findings,
    annotationsCreated: suggested.created,
    detail: storable({
      ...marks,
      ...(fixed && { fixed }),
      ...(suggested.heldBack.length > 0 && { heldBack: [...heldBack, ...suggested.heldBack] }),
    }),
  });
  return suggested.notes;
}
