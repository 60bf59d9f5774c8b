import type { Report } from './report.ts';

/**
 * The fields in the order in which readers look for them, by the field that holds the object. All others follow by
 * name.
 */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  report: [
    ...['schema', 'redpen', 'id', 'startedAt', 'completedAt', 'verdict', 'urls', 'deviceType', 'gate'],
    ...['agents', 'pages', 'findings', 'fixed', 'rules', 'notes'],
  ],
  agents: ['agentId', 'name', 'executionIds', 'verdict', 'error', 'pages', 'findings', 'durationMs'],
  pages: ['url', 'status', 'problems', 'screenshot'],
  findings: [
    ...['number', 'id', 'severity', 'title', 'description', 'issueType', 'alsoKnownAs', 'pageUrl', 'url'],
    ...['statusCode', 'targetText', 'occurrence', 'context', 'htmlSelector', 'htmlSnippet', 'position'],
    ...[
      'outsideScreenshot',
      'suggestion',
      'confidence',
      'agents',
      'causeId',
      'state',
      'ignored',
      'failsGate',
    ],
    ...['decision', 'decidedBy', 'reason', 'source'],
  ],
  fixed: ['severity', 'title', 'issueType', 'pageUrl', 'url'],
};

/** The data of the report. Two reports with the same content are the same text, so that they can be compared. */
export const renderJson = (report: Report): string =>
  `${JSON.stringify(ordered(report, 'report'), undefined, 2)}\n`;

/** A copy with its keys in order, in all depths. `name` is the field that holds the value. */
function ordered(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => ordered(item, name));
  if (typeof value !== 'object' || value === null) return value;
  const first = Object.hasOwn(ORDER, name) ? ORDER[name]! : [];
  const rank = (key: string) => (first.includes(key) ? first.indexOf(key) : first.length);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map(([key, inner]) => [key, ordered(inner, key)]),
  );
}
