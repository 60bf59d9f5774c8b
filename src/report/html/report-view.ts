import { counts, type Pictures, type Report, type ReportFinding } from '../report.ts';
import { type ReportSummary, summaryOf } from '../summary.ts';
import { type GroupedFindings, groupByPage } from './finding-groups.ts';
import { type PictureOfPage, pictureOf } from './picture-pins.ts';

/** A report with what its parts look up again and again. */
export interface ReportView {
  report: Report;
  summary: ReportSummary;
  groups: GroupedFindings;
  /** Findings that count. */
  counting: readonly ReportFinding[];
  /** The position of each agent and page in its list, by which filters refer to them. */
  agentAt: ReadonlyMap<string, number>;
  pageAt: ReadonlyMap<string, number>;
  /** The pictures by the address of their page. */
  pictures: ReadonlyMap<string, PictureOfPage>;
  /** Numbers of the findings with a pin. */
  pinned: ReadonlySet<number>;
}

export function viewOf(report: Report, pictures: Pictures): ReportView {
  const groups = groupByPage(report);
  const counting = report.findings.filter(counts);
  const byPage = Map.groupBy(counting, ({ pageUrl }) => pageUrl);
  const shown = new Map<string, PictureOfPage>();
  for (const { page } of groups.byPage) {
    const picture = pictureOf(page, byPage.get(page.url) ?? [], pictures);
    if (picture) shown.set(page.url, picture);
  }
  return {
    report,
    summary: summaryOf(report),
    groups,
    counting,
    agentAt: new Map(report.agents.map(({ agentId }, at) => [agentId, at])),
    pageAt: new Map(groups.byPage.map(({ page }, at) => [page.url, at])),
    pictures: shown,
    pinned: new Set([...shown.values()].flatMap(({ pins }) => pins.map(({ finding }) => finding.number))),
  };
}

/**
 * The classes by which filters hide an element: it is shown while one of its findings has the chosen severity, one the
 * chosen agent, one the chosen page, and one is new if only these are wanted.
 */
export function filterClasses(view: ReportView, findings: readonly ReportFinding[]): string {
  const names = new Set<string>(['x']);
  for (const { severity, agents, pageUrl, state } of findings) {
    names.add(`s-${severity}`);
    for (const agent of agents) names.add(`a${view.agentAt.get(agent) ?? '-'}`);
    names.add(`p${view.pageAt.get(pageUrl) ?? '-'}`);
    if (state === 'new') names.add('new');
  }
  return [...names].join(' ');
}
