import { verdictOfRuns } from '../../../report/build-report.ts';
import { rankOf } from '../../../report/group-findings.ts';
import type { Report, ReportFinding, ReportFixed } from '../../../report/report.ts';
import { applyBaseline, looksAgain, renewBaseline } from './baseline.ts';

/** The state of all known pages after a round. */
export interface Round {
  report: Report;
  /** Numbers of findings that the round before did not have. */
  added: ReadonlySet<number>;
  fixed: ReportFixed[];
}

interface Scope {
  /** Known pages that no longer exist. */
  gone: readonly string[];
  /**
   * Issue types that only a review of all pages finds. Undefined for such a review; otherwise what is known of them
   * remains.
   */
  acrossPages: ReadonlySet<string> | undefined;
}

/** Joins the review of some pages with what is known of the others, and compares it with the round before. */
export function joinRounds(previous: Report, latest: Report, { gone, acrossPages }: Scope): Round {
  const isGone = new Set(gone);
  const looksAt = looksAgain(latest);
  const isOpen = ({ issueType }: ReportFinding) => acrossPages?.has(issueType) === true;
  const before = previous.findings.filter(({ pageUrl }) => !isGone.has(pageUrl));
  const kept = before.filter((finding) => isOpen(finding) || !looksAt(finding.pageUrl, finding));
  const found = latest.findings.filter((finding) => !isOpen(finding));
  const known = renewBaseline({ ...previous, findings: before.filter((each) => !isOpen(each)) }, undefined);
  const { findings, fixed } = applyBaseline({ ...latest, urls: previous.urls, findings: found }, known);
  const isNew = new Set(found.filter((_, index) => findings[index]?.state === 'new'));

  const reviewed = new Map(latest.pages.map((page) => [page.url, page]));
  const pages = previous.pages
    .filter(({ url }) => !isGone.has(url))
    .map((page) => reviewed.get(page.url) ?? page);
  const urls = new Set(pages.map(({ url }) => url));
  pages.push(...latest.pages.filter(({ url }) => !urls.has(url)));
  const order = new Map(pages.map(({ url }, index) => [url, index]));
  const all = [...kept, ...found].sort(
    (a, b) =>
      rankOf(a.severity) - rankOf(b.severity) || (order.get(a.pageUrl) ?? 0) - (order.get(b.pageUrl) ?? 0),
  );
  const added = new Set(all.flatMap((finding, index) => (isNew.has(finding) ? [index + 1] : [])));
  return { report: joined(previous, { ...latest, pages, findings: all }), added, fixed };
}

/** One report of several on different pages. */
export function joinReports(reports: readonly Report[]): Report {
  const first = reports[0];
  if (!first) throw new Error('There is no report.');
  const errorOf = (id: string) =>
    reports.flatMap(({ agents }) => agents).find(({ agentId, error }) => agentId === id && error)?.error;
  return {
    ...first,
    completedAt: Math.max(...reports.map(({ completedAt }) => completedAt)),
    agents: first.agents.map((agent) => {
      const error = errorOf(agent.agentId);
      return { ...agent, ...(error !== undefined && { error }) };
    }),
    pages: reports.flatMap(({ pages }) => pages),
    findings: reports.flatMap(({ findings }) => findings),
    rules: Object.assign({}, ...reports.map(({ rules }) => rules)) as Report['rules'],
    notes: [...new Set(reports.flatMap(({ notes }) => notes))],
  };
}

/** The report of a round, with the numbers of all pages. */
function joined(previous: Report, { findings, ...latest }: Report): Report {
  const reviewed = latest.pages.filter(({ status }) => status === 'reviewed').length;
  const agents = latest.agents.map((agent) => ({
    ...agent,
    verdict:
      agent.error === undefined && agent.verdict !== 'broken' && agent.verdict !== 'incomplete'
        ? findings.some((finding) => finding.agents.includes(agent.agentId))
          ? ('findings' as const)
          : ('clean' as const)
        : agent.verdict,
    pages: reviewed,
    findings: findings.filter((finding) => finding.agents.includes(agent.agentId)).length,
  }));
  return {
    ...latest,
    urls: previous.urls,
    agents,
    verdict: verdictOfRuns(agents.map(({ verdict }) => verdict)),
    rules: { ...previous.rules, ...latest.rules },
    findings: findings.map((finding, index) => ({ ...finding, number: index + 1 })),
  };
}
