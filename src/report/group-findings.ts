import { type Severity, severities } from '../shapes/agents/execution.ts';
import type { ReportFinding } from './report.ts';

/** Findings that have one cause and issue type: one fault in several places, or a single finding. */
export interface FaultGroup {
  /** The gravest of them. */
  finding: ReportFinding;
  findings: ReportFinding[];
  /** Addresses of their pages, each once. */
  pages: string[];
}

export const rankOf = (severity: Severity): number => severities.indexOf(severity);

/** Groups findings of one fault. The gravest come first, and otherwise the order remains. */
export function groupByFault(findings: readonly ReportFinding[]): FaultGroup[] {
  const ranked = findings.toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity));
  const groups = Map.groupBy(ranked, (finding) =>
    // Faults of one address, such as a link and an image, need different fixes.
    finding.causeId === undefined ? finding : `${finding.causeId}\n${finding.issueType}`,
  );
  return Array.from(groups.values(), (members) => ({
    finding: members[0]!,
    findings: members,
    pages: [...new Set(members.map(({ pageUrl }) => pageUrl))],
  }));
}

/** The rank of the gravest of several faults, from 0. */
export const gravestOf = (groups: readonly FaultGroup[]): number =>
  Math.min(...groups.map(({ finding }) => rankOf(finding.severity)));

/** Faults by the page of their gravest finding; the pages with the gravest faults, and with the most, come first. */
export const groupByPage = (groups: readonly FaultGroup[]): Map<string, FaultGroup[]> =>
  new Map(
    [...Map.groupBy(groups, ({ finding }) => finding.pageUrl)].toSorted(
      ([, a], [, b]) => gravestOf(a) - gravestOf(b) || b.length - a.length,
    ),
  );
