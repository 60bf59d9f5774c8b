import { useMemo } from 'react';
import { useDecisions } from '../../../findings/decide.ts';
import { decisionOn, filterRun } from '../data/filter-run.ts';
import { rowsOf } from '../data/list-rows.ts';
import { groupFaults, type RunFinding } from '../data/merge-run.ts';
import type { RunReport } from '../data/use-report.ts';
import type { RunSearch } from '../run-search.ts';

/** More pins than that on one picture hide it. */
const MOST_PINS = 300;

/** What the tab of findings shows: rows, the page of the picture and its pins. */
export function useFindingsView(
  findings: readonly RunFinding[],
  report: RunReport | undefined,
  search: RunSearch,
) {
  const { shown } = useDecisions();
  const current = search.finding;
  const currentFinding = useMemo(
    () => findings.find(({ id }) => id === current || `all-${id}` === current),
    [findings, current],
  );
  const pages = useMemo(() => pagesOf(findings, report), [findings, report]);
  const page =
    pages.find(({ url }) => url === currentFinding?.page) ??
    pages.find(({ url }) => url === search.page) ??
    pages.find(({ screenshot, count }) => screenshot && count > 0) ??
    pages.find(({ screenshot }) => screenshot) ??
    pages[0];
  const shownPage = page?.url;
  const { shown: which, agent, text, isPageOnly } = search;
  const severities = search.severity.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another current finding leaves the filters as they are.
  const filter = useMemo(
    () => ({ ...search, shownPage: isPageOnly ? shownPage : undefined }),
    [which, agent, text, isPageOnly, severities, isPageOnly ? shownPage : undefined],
  );
  const visible = useMemo(() => filterRun(findings, filter, shown), [findings, filter, shown]);
  const bySeverity = useMemo(() => {
    const all = filterRun(findings, filter, shown, 'severity');
    return Map.groupBy(all, ({ severity }) => severity);
  }, [findings, filter, shown]);
  const faults = useMemo(() => groupFaults(visible), [visible]);
  const rows = useMemo(() => rowsOf(faults, current), [faults, current]);
  const pins = useMemo(() => {
    const ofPage = visible.filter((finding) => finding.page === shownPage && finding.position);
    const some = ofPage.slice(0, MOST_PINS);
    const own = ofPage.find(({ id }) => id === currentFinding?.id);
    if (own && !some.includes(own)) some.push(own);
    return {
      left: ofPage.length - some.length,
      findings: some.map((finding) => pinOf(finding, decisionOn(finding, shown).decision)),
    };
  }, [visible, shownPage, currentFinding, shown]);
  return { rows, filter, visible, bySeverity, page, pages, pins, currentFinding };
}

function pinOf(finding: RunFinding, decision: string) {
  const { id, number, severity, position, outsideScreenshot, records } = finding;
  return {
    id,
    number,
    severity,
    title: records[0].title,
    ...(position && { position }),
    ...(outsideScreenshot && { outsideScreenshot }),
    ...(decision !== 'undecided' && { decision: decision as 'accepted' | 'rejected' | 'resolved' }),
  };
}

export interface ShownPage {
  url: string;
  screenshot?: RunReport['pages'][number]['screenshot'];
  count: number;
}

function pagesOf(findings: readonly RunFinding[], report: RunReport | undefined): ShownPage[] {
  const counts = new Map<string, number>();
  for (const { page } of findings) counts.set(page, (counts.get(page) ?? 0) + 1);
  const known = (report?.pages ?? []).map(({ url, screenshot }) => ({
    url,
    ...(screenshot && { screenshot }),
    count: counts.get(url) ?? 0,
  }));
  const urls = new Set(known.map(({ url }) => url));
  const others = [...counts].filter(([url]) => !urls.has(url)).map(([url, count]) => ({ url, count }));
  return [...known, ...others];
}
