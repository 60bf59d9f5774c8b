import type { Db } from '../../db/tables.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { FixedFindings } from '../../shapes/agents/run.ts';
import { type FindingCounts, findingsOfPage } from '../../store/agents/execution-findings.ts';
import type { PageOutcome } from '../../store/agents/execution-pages.ts';
import type { Run } from '../core/run-state.ts';
import { anchorOf } from './finding-anchor.ts';
import type { FindingsWithPrecedents } from './finding-to-annotation.ts';
import { matchAnchors } from './match-anchors.ts';

const MAX_SAMPLES = 50;

/** Selects issue types: those that the page review reports, or those of the comparison across pages. */
export type IssueFilter = (issueType: string) => boolean;

/** Marks findings as `new` or `still_there`. Without a previous run they are returned as they are. */
export async function compareWithPreviousRun(
  db: Db,
  run: Run,
  url: string,
  { findings, unjudged }: Pick<FindingsWithPrecedents, 'findings' | 'unjudged'>,
  isOwnIssue: IssueFilter,
): Promise<{ findings: Finding[]; fixed?: FixedFindings }> {
  if (run.comparedWith === undefined) return { findings };
  const ref = { apiKeyId: run.scope.apiKeyId, executionId: run.comparedWith };
  const previous = (await findingsOfPage(db, ref, url)) ?? [];
  return compareFindings(
    previous.filter(({ issueType }) => isOwnIssue(issueType)),
    findings,
    unjudged,
  );
}

function compareFindings(
  previous: Finding[],
  current: Finding[],
  unjudged: ReadonlySet<string> = new Set(),
): { findings: Finding[]; fixed: FixedFindings } {
  const matches = matchAnchors(previous.map(anchorOf), current.map(anchorOf));
  const stillThere = new Set(matches.values());
  const fixed = previous.filter(({ url = '' }, index) => !stillThere.has(index) && !unjudged.has(url));
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
      causes: countByCause(fixed),
    },
  };
}

function countByCause(findings: readonly Finding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { causeId } of findings) if (causeId !== undefined) counts[causeId] = (counts[causeId] ?? 0) + 1;
  return counts;
}

/** `comparison` of an execution, summed up from the comparisons of its pages. */
export function comparisonOf(
  { pages, counts }: { pages: readonly PageOutcome[]; counts: FindingCounts },
  previousExecutionId: string | undefined,
) {
  if (previousExecutionId === undefined) return undefined;
  const fixed = pages.flatMap((page) => page.detail.fixed ?? []);
  const count = (comparison: Finding['comparison']) =>
    counts.reduce((sum, one) => sum + (one.comparison === comparison ? one.count : 0), 0);
  return {
    previousExecutionId,
    new: count('new'),
    stillThere: count('still_there'),
    fixed: fixed.reduce((sum, page) => sum + page.count, 0),
    fixedFindings: fixed.flatMap((page) => page.findings).slice(0, MAX_SAMPLES),
  };
}

/** Numbers of the places that are gone, by the id of their cause. */
export function fixedPlaces(pages: readonly PageOutcome[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const { detail } of pages)
    for (const [causeId, count] of Object.entries(detail.fixed?.causes ?? {}))
      sum.set(causeId, (sum.get(causeId) ?? 0) + count);
  return sum;
}
