import { type FaultGroup, groupByFault } from '../group-findings.ts';
import { counts, type Report, type ReportFinding, type ReportPage } from '../report.ts';

export interface PageGroups {
  page: ReportPage;
  /** Groups that are on this page alone. */
  groups: readonly FaultGroup[];
  /** Findings on this page of groups that are shown with `acrossPages`. */
  elsewhere: readonly ReportFinding[];
}

export interface GroupedFindings {
  acrossPages: readonly FaultGroup[];
  byPage: readonly PageGroups[];
}

/** The findings that count, for each page in the order of the report; a page that the report does not list comes last. */
export function groupByPage({ pages, findings }: Report): GroupedFindings {
  const groups = groupByFault(findings.filter(counts));
  const acrossPages = groups.filter((group) => group.pages.length > 1);
  const onOnePage = Map.groupBy(
    groups.filter((group) => group.pages.length === 1),
    ({ finding }) => finding.pageUrl,
  );
  const elsewhere = Map.groupBy(
    acrossPages.flatMap((group) => group.findings),
    ({ pageUrl }) => pageUrl,
  );
  const listed = new Map(pages.map((page) => [page.url, page]));
  for (const url of [...onOnePage.keys(), ...elsewhere.keys()])
    if (!listed.has(url)) listed.set(url, { url, status: 'reviewed', problems: [] });
  return {
    acrossPages,
    byPage: [...listed.values()].map((page) => ({
      page,
      groups: onOnePage.get(page.url) ?? [],
      elsewhere: elsewhere.get(page.url) ?? [],
    })),
  };
}
