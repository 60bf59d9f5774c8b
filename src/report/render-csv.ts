import { BYTE_ORDER_MARK, csvLines } from './csv-lines.ts';
import { fileAndLine } from './describe-finding.ts';
import type { Report, ReportFinding } from './report.ts';

/** The columns in their order. Programs find them by name, so new ones may be added anywhere. */
const COLUMNS: Record<string, (finding: ReportFinding, report: Report) => string | number | undefined> = {
  number: ({ number }) => number,
  severity: ({ severity }) => severity,
  page: ({ pageUrl }) => pageUrl,
  title: ({ title }) => title,
  description: ({ description }) => description,
  suggestion: ({ suggestion }) => suggestion,
  text: ({ targetText }) => targetText,
  address: ({ url }) => url,
  status_code: ({ statusCode }) => statusCode,
  issue_type: ({ issueType }) => issueType,
  category: ({ issueType }, { rules }) =>
    Object.hasOwn(rules, issueType) ? rules[issueType]?.category : undefined,
  confidence: ({ confidence }) => confidence,
  state: ({ state }) => state,
  ignored: ({ ignored }) => ignored,
  decision: ({ decision }) => decision,
  decided_by: ({ decidedBy }) => decidedBy,
  reason: ({ reason }) => reason,
  fails_gate: ({ failsGate }) => (failsGate ? 'yes' : ''),
  agents: ({ agents }) => agents.join(' '),
  selector: ({ htmlSelector }) => htmlSelector,
  html: ({ htmlSnippet }) => htmlSnippet,
  source: ({ source }) => source && fileAndLine(source),
  cause: ({ causeId }) => causeId,
  id: ({ id }) => id,
};

/** A row for each finding, for spreadsheets. */
export function renderCsv(report: Report): string {
  const rows = report.findings.map((finding) =>
    Object.values(COLUMNS).map((columnOf) => columnOf(finding, report)),
  );
  return `${BYTE_ORDER_MARK}${csvLines([Object.keys(COLUMNS), ...rows])}`;
}
