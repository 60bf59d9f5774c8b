import { type Severity, severities } from '../shapes/agents/execution.ts';
import { counts, type Gate, type Report, type ReportFinding } from './report.ts';

/** The conditions under which a review passes. */
export interface GateConditions {
  /** The mildest severity that makes it fail. */
  failOn: Severity | 'never';
  /** True to ignore findings that the baseline or the previous run has. */
  onlyNew: boolean;
  /** Number of findings, of any severity, that may count. */
  maxFindings?: number | undefined;
  /** Issue types that count although their category is not judged by default. */
  chosen?: readonly string[] | undefined;
  /** A sentence, if the review is not complete: without findings, it would pass by accident. */
  incomplete?: string | undefined;
}

/** Scores of the same page differ from one load to the next, so that they would make a build fail at random. */
const UNJUDGED = 'performance';

/** Decides whether a review passes, and marks the findings for which it does not. */
export function judge(
  report: Report,
  { failOn, onlyNew, maxFindings, chosen = [], incomplete }: GateConditions,
): Report {
  const isJudged = ({ issueType, state, ...finding }: ReportFinding): boolean =>
    counts(finding) &&
    !(onlyNew && state === 'still_there') &&
    (report.rules[issueType]?.category !== UNJUDGED || chosen.includes(issueType));
  const isGrave = ({ severity }: ReportFinding): boolean =>
    failOn !== 'never' && severities.indexOf(severity) <= severities.indexOf(failOn);
  const judged = report.findings.filter(isJudged);
  const grave = new Set(judged.filter(isGrave));
  const reasons = [
    ...(incomplete === undefined ? [] : [incomplete]),
    ...(grave.size > 0 && failOn !== 'never' ? [sayGrave(grave.size, failOn, onlyNew)] : []),
    ...(maxFindings !== undefined && judged.length > maxFindings
      ? [sayTooMany(judged.length, maxFindings, onlyNew)]
      : []),
  ];
  const gate: Gate = {
    failOn,
    onlyNew,
    ...(maxFindings !== undefined && { maxFindings }),
    passed: reasons.length === 0,
    reasons,
  };
  const findings = report.findings.map((finding) => {
    const { failsGate: _, ...rest } = finding;
    return grave.has(finding) ? { ...rest, failsGate: true as const } : rest;
  });
  return { ...report, findings, gate };
}

const countOf = (count: number, onlyNew: boolean): string =>
  `${count} ${onlyNew ? 'new ' : ''}${count === 1 ? 'finding' : 'findings'}`;

function sayGrave(count: number, failOn: Severity, onlyNew: boolean): string {
  const verb = count === 1 ? 'is' : 'are';
  const grade = failOn === 'critical' ? 'critical' : `of severity ${failOn} or graver`;
  return failOn === 'info'
    ? `There ${verb} ${countOf(count, onlyNew)}.`
    : `${countOf(count, onlyNew)} ${verb} ${grade}.`;
}

const sayTooMany = (count: number, most: number, onlyNew: boolean): string =>
  `There ${count === 1 ? 'is' : 'are'} ${countOf(count, onlyNew)}, and at most ${most} may remain.`;
