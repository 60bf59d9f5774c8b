import type { Db } from '../../db/tables.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { FixedFindings } from '../../shapes/agents/run.ts';
import { findingsOf, type PageRow } from '../../store/agents/execution-pages.ts';
import type { Run } from '../core/run-state.ts';
import { anchorOf } from './finding-anchor.ts';
import { matchAnchors } from './match-anchors.ts';

const MAX_SAMPLES = 50;

/** Selects issue types: those that the page review reports, or those of the comparison across pages. */
export type IssueFilter = (issueType: string) => boolean;

/** Marks findings as `new` or `still_there`. Without a previous run they are returned as they are. */
export async function compareWithPreviousRun(
  db: Db,
  run: Run,
  url: string,
  findings: Finding[],
  isOwnIssue: IssueFilter,
): Promise<{ findings: Finding[]; fixed?: FixedFindings }> {
  if (run.comparedWith === undefined) return { findings };
  const ref = { apiKeyId: run.scope.apiKeyId, executionId: run.comparedWith };
  const previous = (await findingsOf(db, ref, url)) ?? [];
  return compareFindings(
    previous.filter(({ issueType }) => isOwnIssue(issueType)),
    findings,
  );
}

function compareFindings(
  previous: Finding[],
  current: Finding[],
): { findings: Finding[]; fixed: FixedFindings } {
  const matches = matchAnchors(previous.map(anchorOf), current.map(anchorOf));
  const stillThere = new Set(matches.values());
  const fixed = previous.filter((_, index) => !stillThere.has(index));
  return {
    findings: current.map((finding, index) => ({
      ...finding,
      comparison: matches.has(index) ? ('still_there' as const) : ('new' as const),
    })),
    fixed: {
      count: fixed.length,
      findings: fixed.slice(0, MAX_SAMPLES).map(({ title, issueType, severity, sourceUrl, url }) => ({
        title,
        issueType,
        severity,
        sourceUrl,
        ...(url !== undefined && { url }),
      })),
    },
  };
}

/** `comparison` of an execution, summed up from the comparisons of its pages. */
export function comparisonOf(pages: PageRow[], previousExecutionId: string | undefined) {
  if (previousExecutionId === undefined) return undefined;
  const findings = pages.flatMap((page) => page.findings);
  const fixed = pages.flatMap((page) => page.detail.fixed ?? []);
  const count = (comparison: Finding['comparison']) =>
    findings.filter((finding) => finding.comparison === comparison).length;
  return {
    previousExecutionId,
    new: count('new'),
    stillThere: count('still_there'),
    fixed: fixed.reduce((sum, page) => sum + page.count, 0),
    fixedFindings: fixed.flatMap((page) => page.findings).slice(0, MAX_SAMPLES),
  };
}
