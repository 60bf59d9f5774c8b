import type { Report, ReportFinding } from '../../src/report/report.ts';

/** GitHub shows as many annotations of each level for a step, and drops the others. */
const MOST_OF_A_LEVEL = 10;

const levels = ['error', 'warning', 'notice'] as const;
type Level = (typeof levels)[number];

/** Text after the second `::` of a workflow command. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Value of a property of a workflow command. */
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** A finding is an error if it fails the gate or, in a review without a gate, if it is grave. */
function levelOf({ failsGate, severity }: ReportFinding, hasGate: boolean): Level {
  if (severity === 'low' || severity === 'info') return failsGate ? 'error' : 'notice';
  const isGrave = severity === 'critical' || severity === 'high';
  return failsGate || (isGrave && !hasGate) ? 'error' : 'warning';
}

function commandFor(finding: ReportFinding, level: Level): string {
  const { title, description, suggestion, pageUrl, source } = finding;
  const properties = [
    ...(source ? [`file=${escapeProperty(source.file)}`] : []),
    ...(source?.line === undefined ? [] : [`line=${source.line}`]),
    `title=${escapeProperty(title)}`,
  ];
  const text = [pageUrl, description, suggestion].filter(Boolean).join('\n');
  return `::${level} ${properties.join(',')}::${escapeData(text)}`;
}

/** Workflow commands for the findings that count, the gravest of each level first. */
export function annotationsOf({ findings, gate }: Pick<Report, 'findings' | 'gate'>): string[] {
  const open = findings.filter(({ ignored }) => ignored === undefined);
  const byLevel = Map.groupBy(open, (finding) => levelOf(finding, gate !== undefined));
  return levels.flatMap((level) =>
    (byLevel.get(level) ?? []).slice(0, MOST_OF_A_LEVEL).map((finding) => commandFor(finding, level)),
  );
}
