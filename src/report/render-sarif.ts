import { shorten } from '../lib/text/cut-text.ts';
import { plural } from '../lib/text/plural.ts';
import { fixOf, problemsOf, whyIgnored } from './describe-finding.ts';
import { rankOf } from './group-findings.ts';
import { oneLine, sentences } from './plain-text.ts';
import { counts, type Report, type ReportFinding } from './report.ts';
import { artifactOf, siteBases } from './sarif-location.ts';
import { LEVELS, ruleIdOf, sarifRules } from './sarif-rules.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** GitHub shows no more results of one analysis. */
export const MOST_RESULTS = 5_000;
/** Keeps 5,000 results well below 10 MB, the most that GitHub accepts after compression. */
const LONGEST_MESSAGE = 1_000;
const LONGEST_SNIPPET = 300;
const MOST_NOTIFICATIONS = 500;

/**
 * SARIF 2.1.0 within the rules of GitHub's code scanning. It has no `automationDetails`, which would take the place of
 * the category that a workflow gives to the upload, and no `fixes`, since suggestions are advice, not replacements.
 */
export function renderSarif(report: Report): string {
  const ranked = report.findings.toSorted(
    (a, b) => Number(counts(b)) - Number(counts(a)) || rankOf(a.severity) - rankOf(b.severity),
  );
  const shown = ranked.slice(0, MOST_RESULTS);
  const rules = sarifRules(shown, report);
  const indexes = new Map(rules.map(({ id }, at) => [id, at]));
  const bases = siteBases(report);
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Redpen', version: oneLine(report.redpen) || 'unknown', rules } },
        ...(bases.size > 0 && {
          originalUriBaseIds: Object.fromEntries(
            Array.from(bases, ([origin, name]) => [name, { uri: `${origin}/` }]),
          ),
        }),
        invocations: [invocationOf(report, ranked.length - shown.length)],
        results: shown.map((finding) => resultOf(finding, indexes, bases)),
        columnKind: 'utf16CodeUnits',
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function invocationOf(report: Report, omitted: number) {
  const problems = problemsOf(report).map(({ kind, subject, message }) => ({
    level: kind === 'agent' || kind === 'failed' ? 'error' : 'note',
    message: {
      text: shorten(sentences([oneLine(subject), message].filter(Boolean).join(': ')), LONGEST_MESSAGE),
    },
  }));
  const limit =
    omitted > 0
      ? [
          {
            level: 'warning',
            message: {
              text: `${plural(omitted, 'finding')} of ${report.findings.length} are left out, the least grave ones, because GitHub shows at most ${MOST_RESULTS}.`,
            },
          },
        ]
      : [];
  return {
    executionSuccessful: report.verdict !== 'broken',
    startTimeUtc: new Date(report.startedAt).toISOString(),
    endTimeUtc: new Date(report.completedAt).toISOString(),
    toolExecutionNotifications: [...limit, ...problems].slice(0, MOST_NOTIFICATIONS),
  };
}

function resultOf(
  finding: ReportFinding,
  indexes: ReadonlyMap<string, number>,
  bases: ReadonlyMap<string, string>,
) {
  const ruleId = ruleIdOf(finding);
  const ignored = whyIgnored(finding);
  return {
    ruleId,
    ruleIndex: indexes.get(ruleId),
    level: LEVELS[finding.severity],
    rank: Math.min(100, Math.max(0, finding.confidence)),
    message: { text: messageOf(finding) },
    locations: [locationOf(finding, bases)],
    // GitHub follows a result by the first of them alone.
    partialFingerprints: { primaryLocationLineHash: oneLine(finding.id), 'redpen/v1': oneLine(finding.id) },
    ...(finding.state && { baselineState: finding.state === 'new' ? 'new' : 'unchanged' }),
    ...(ignored && {
      suppressions: [
        { kind: 'external', status: 'accepted', justification: shorten(ignored, LONGEST_MESSAGE) },
      ],
    }),
    properties: {
      severity: finding.severity,
      agents: finding.agents,
      ...(finding.alsoKnownAs.length > 0 && { alsoKnownAs: finding.alsoKnownAs }),
      ...(finding.causeId && { causeId: finding.causeId }),
    },
  };
}

/** SARIF reads `[words](address)` as a link; words of a page must not make one. */
function messageOf(finding: ReportFinding): string {
  const { title, description, source, pageUrl } = finding;
  const text = sentences(
    title,
    description === title ? '' : description,
    fixOf(finding),
    source ? `Page: ${pageUrl}` : '',
  );
  return shorten(text.replaceAll('](', '] ('), LONGEST_MESSAGE) || 'Finding.';
}

/** Pages have no lines, but GitHub wants a region. */
function locationOf(finding: ReportFinding, bases: ReadonlyMap<string, string>) {
  const line = Math.max(1, finding.source?.line ?? 1);
  const snippet = shorten(oneLine(finding.htmlSnippet ?? '') || oneLine(finding.targetText), LONGEST_SNIPPET);
  const selector = shorten(oneLine(finding.htmlSelector), LONGEST_SNIPPET);
  return {
    physicalLocation: {
      artifactLocation: artifactOf(finding, bases),
      region: {
        startLine: line,
        startColumn: 1,
        endLine: line,
        endColumn: 1,
        ...(snippet && { snippet: { text: snippet } }),
      },
    },
    ...(selector && { logicalLocations: [{ fullyQualifiedName: selector, kind: 'element' }] }),
  };
}
