import type { Finding } from '../../shapes/agents/execution.ts';
import type { PageRow } from '../../store/agents/execution-pages.ts';
import { anchorOf } from './anchor.ts';
import { match } from './match.ts';

const MAX_SAMPLES = 50;

export type FixedFinding = Pick<Finding, 'title' | 'issueType' | 'severity' | 'url'> & { sourceUrl: string };

/** What was found on a page last time and is gone. */
export interface Fixed {
  count: number;
  /** Up to 50 of them. */
  findings: FixedFinding[];
}

/** How the findings of a page stand to those of the last run; `before` is undefined where it did not look at the page. */
export function comparePage(
  before: Finding[] | undefined,
  now: Finding[],
): { findings: Finding[]; fixed: Fixed } {
  const earlier = before ?? [];
  const found = match(earlier.map(anchorOf), now.map(anchorOf));
  const still = new Set(found.values());
  const fixed = earlier.filter((_, index) => !still.has(index));
  return {
    findings: now.map((finding, index) => ({
      ...finding,
      comparison: found.has(index) ? ('still_there' as const) : ('new' as const),
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

/** `comparison` of an execution: what its pages say of it, of those that it could look at. */
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
    fixed: fixed.reduce((sum, one) => sum + one.count, 0),
    fixedFindings: fixed.flatMap((one) => one.findings).slice(0, MAX_SAMPLES),
  };
}
