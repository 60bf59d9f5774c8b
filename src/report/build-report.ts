import { md5 } from '../lib/ids.ts';
import { type Finding, isOpen, severities } from '../shapes/agents/execution.ts';
import type { FixedFindings, Verdict } from '../shapes/agents/run.ts';
import { type FoundBy, gravest, type MergedFinding, mergeFindings } from './merge-findings.ts';
import {
  REPORT_SCHEMA,
  type Report,
  type ReportAgent,
  type ReportFinding,
  type ReportFixed,
  type ReportPage,
} from './report.ts';

export interface RunOfReport {
  executionId: string;
  agentId: string;
  agentName: string;
  verdict: Verdict;
  error?: string | undefined;
  startedAt: number;
  completedAt: number;
  /** In the order in which they were planned. */
  pages: {
    url: string;
    status: 'planned' | 'completed' | 'failed' | 'skipped';
    /** Why it was not reviewed. */
    message?: string | undefined;
    screenshot?: ReportPage['screenshot'] | undefined;
    fixed?: FixedFindings['findings'] | undefined;
  }[];
  findings: Finding[];
}

export interface ReportInput
  extends Pick<
    Report,
    'id' | 'redpen' | 'startedAt' | 'completedAt' | 'urls' | 'deviceType' | 'rules' | 'notes'
  > {
  /** In the order in which agents are listed. */
  runs: RunOfReport[];
}

/** From the gravest. A review with runs that failed is at most as good as `incomplete`. */
export function verdictOfRuns(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.length > 0 && verdicts.every((one) => one === 'broken')) return 'broken';
  if (verdicts.includes('findings')) return 'findings';
  return verdicts.some((one) => one !== 'clean') ? 'incomplete' : 'clean';
}

/** Makes a report of the runs of a review, or of one run. */
export function buildReport({ runs, rules, ...given }: ReportInput): Report {
  const pages = pagesOf(runs);
  const order = new Map(pages.map(({ url }, index) => [url, index]));
  const ofPages = Map.groupBy(
    runs.flatMap(({ agentId, findings }) => findings.map((finding): FoundBy => ({ agentId, finding }))),
    ({ finding }) => finding.sourceUrl,
  );
  const findings = [...ofPages.values()]
    .flatMap((found) => mergeFindings(found).map(findingOf))
    .sort((one, other) => compare(one, other, order));
  const numbered = withUniqueIds(findings).map((finding, index) => ({ ...finding, number: index + 1 }));
  const types = new Set(findings.flatMap(({ issueType, alsoKnownAs }) => [issueType, ...alsoKnownAs]));
  return {
    schema: REPORT_SCHEMA,
    redpen: given.redpen,
    id: given.id,
    startedAt: given.startedAt,
    completedAt: given.completedAt,
    verdict: verdictOfRuns(runs.map(({ verdict }) => verdict)),
    urls: given.urls,
    deviceType: given.deviceType,
    agents: agentsOf(runs),
    pages,
    findings: numbered,
    fixed: fixedOf(runs),
    rules: Object.fromEntries(Object.entries(rules).filter(([issueType]) => types.has(issueType))),
    notes: given.notes,
  };
}

function agentsOf(runs: readonly RunOfReport[]): ReportAgent[] {
  return [...Map.groupBy(runs, ({ agentId }) => agentId)].map(([agentId, own]) => {
    const [error] = own.flatMap((run) => run.error ?? []);
    const reviewed = own.flatMap(({ pages }) => pages.filter(({ status }) => status === 'completed'));
    return {
      agentId,
      name: own[0]!.agentName,
      executionIds: own.map(({ executionId }) => executionId),
      verdict: verdictOfRuns(own.map(({ verdict }) => verdict)),
      ...(error !== undefined && { error }),
      pages: new Set(reviewed.map(({ url }) => url)).size,
      findings: own.reduce((sum, { findings }) => sum + findings.length, 0),
      durationMs: own.reduce((sum, run) => sum + run.completedAt - run.startedAt, 0),
    };
  });
}

function pagesOf(runs: readonly RunOfReport[]): ReportPage[] {
  const pages = new Map<string, ReportPage>();
  for (const { agentId, error, pages: ofRun } of runs) {
    for (const { url, status, message, screenshot } of ofRun) {
      const page: ReportPage = pages.get(url) ?? { url, status: 'skipped', problems: [] };
      pages.set(url, page);
      if (screenshot) page.screenshot ??= screenshot;
      if (status === 'completed') {
        page.status = 'reviewed';
        continue;
      }
      if (status !== 'skipped' && page.status !== 'reviewed') page.status = 'failed';
      page.problems.push({ agentId, message: message ?? error ?? 'The page was not reviewed.' });
    }
  }
  return [...pages.values()];
}

function findingOf(all: MergedFinding): Omit<ReportFinding, 'number'> {
  const [{ finding }] = all;
  const findings = all.map((one) => one.finding);
  const decided = findings.find((one) => !isOpen(one)) ?? findings.find(({ decision }) => decision);
  const placed = findings.find(({ position }) => position) ?? finding;
  const types = new Set(findings.map(({ issueType }) => issueType));
  types.delete(finding.issueType);
  const isCompared = findings.some(({ comparison }) => comparison !== undefined);
  const isKnown = findings.some(({ comparison }) => comparison === 'still_there');
  const { title, description, issueType, suggestion, confidence, targetText, occurrence, htmlSelector } =
    finding;
  return {
    id:
      firstFingerprint(findings) ?? md5([issueType, finding.sourceUrl, targetText, htmlSelector].join('\n')),
    pageUrl: finding.sourceUrl,
    severity: gravest(findings.map(({ severity }) => severity)),
    ...{ title, description, issueType, suggestion, confidence, targetText, occurrence, htmlSelector },
    ...optional(finding, ['context', 'htmlSnippet', 'url', 'statusCode', 'causeId']),
    ...optional(placed, ['position', 'outsideScreenshot']),
    agents: [...new Set(all.map(({ agentId }) => agentId))],
    alsoKnownAs: [...types],
    ...(isCompared && { state: isKnown ? ('still_there' as const) : ('new' as const) }),
    ...(decided && optional(decided, ['decision', 'reason'])),
    ...(decided?.decidedBy && { decidedBy: deciderIn(decided.decidedBy) }),
    ...(decided && !isOpen(decided) && { ignored: 'decision' as const }),
  };
}

const deciderIn = ({ name, userId, assistant }: NonNullable<Finding['decidedBy']>): string =>
  `${name || userId}${assistant === undefined ? '' : ` (by the assistant ${assistant})`}`;

/** The least fingerprint, since it depends on the load of the page which of the findings says the most. */
const firstFingerprint = (findings: readonly Finding[]): string | undefined =>
  findings.flatMap(({ fingerprint }) => fingerprint ?? []).sort()[0];

const optional = <K extends keyof Finding>(finding: Finding, keys: readonly K[]): Pick<Finding, K> =>
  Object.fromEntries(
    keys.flatMap((key) => (finding[key] === undefined ? [] : [[key, finding[key]]])),
  ) as Pick<Finding, K>;

/** Findings of earlier versions have no fingerprint: a number tells equal ones apart. */
function withUniqueIds<T extends { id: string }>(findings: readonly T[]): T[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const times = (seen.get(finding.id) ?? 0) + 1;
    seen.set(finding.id, times);
    return times === 1 ? finding : { ...finding, id: `${finding.id}-${times}` };
  });
}

type Placed = Omit<ReportFinding, 'number'>;

function compare(one: Placed, other: Placed, order: ReadonlyMap<string, number>): number {
  return (
    severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
    (order.get(one.pageUrl) ?? 0) - (order.get(other.pageUrl) ?? 0) ||
    (one.position?.y ?? Number.MAX_SAFE_INTEGER) - (other.position?.y ?? Number.MAX_SAFE_INTEGER) ||
    (one.position?.x ?? 0) - (other.position?.x ?? 0) ||
    (one.issueType < other.issueType ? -1 : one.issueType > other.issueType ? 1 : 0)
  );
}

/** A fault that several agents, or several runs of one agent, no longer find is one fixed finding if they name it alike. */
function fixedOf(runs: readonly RunOfReport[]): ReportFixed[] {
  const fixed = new Map<string, ReportFixed>();
  for (const { agentId, pages } of runs) {
    const seen = new Map<string, number>();
    for (const { title, issueType, severity, sourceUrl, url } of pages.flatMap((page) => page.fixed ?? [])) {
      const name = JSON.stringify([issueType, sourceUrl, title, url ?? { agentId }]);
      // Without an address, a run names several places of a page alike.
      const times = url === undefined ? (seen.get(name) ?? 0) + 1 : 1;
      seen.set(name, times);
      const entry = { title, issueType, severity, pageUrl: sourceUrl, ...(url !== undefined && { url }) };
      fixed.set(`${name} ${times}`, entry);
    }
  }
  return [...fixed.values()];
}
