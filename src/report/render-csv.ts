import { fileAndLine } from './describe-finding.ts';
import { visibleText } from './plain-text.ts';
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

/** Excel reads CSV without this mark in the encoding of the machine, in which letters beyond ASCII are broken. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Where spreadsheets begin to read a formula, which can send data away; some also read full-width signs. Where the comma is
 * the decimal sign, Excel separates fields by semicolons and does not know quotes within them, so that a field also
 * begins at a semicolon and in a new line of a text.
 */
const FORMULA = /(?<=^|[;\n])(?=[^\S\n]*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=\s)/g;

/** A row for each finding (RFC 4180), for spreadsheets. What they would take for a formula begins with an apostrophe. */
export function renderCsv(report: Report): string {
  const rows = report.findings.map((finding) =>
    Object.values(COLUMNS).map((columnOf) => fieldOf(columnOf(finding, report))),
  );
  return `${BYTE_ORDER_MARK}${[Object.keys(COLUMNS), ...rows].map((fields) => `${fields.join(',')}\r\n`).join('')}`;
}

function fieldOf(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = visibleText(value).replaceAll(FORMULA, "'");
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
