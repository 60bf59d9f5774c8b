import { counts, type Report, type ReportFinding, type ReportPage } from '../report.ts';

/** A finding, or several that have one cause and are shown once with their places. */
export interface FindingGroup {
  /** The gravest, in whose words the group is shown. */
  first: ReportFinding;
  findings: readonly ReportFinding[];
  /** Addresses of the pages with a place, each once. */
  pages: readonly string[];
}

export interface PageGroups {
  page: ReportPage;
  /** Groups that are on this page alone. */
  groups: readonly FindingGroup[];
  /** Findings on this page of groups that are shown with `acrossPages`. */
  elsewhere: readonly ReportFinding[];
}

export interface GroupedFindings {
  acrossPages: readonly FindingGroup[];
  byPage: readonly PageGroups[];
}

const groupOf = (findings: readonly ReportFinding[]): FindingGroup => ({
  first: findings[0]!,
  findings,
  pages: [...new Set(findings.map(({ pageUrl }) => pageUrl))],
});

/** Merges findings with one cause. Each group has the rank of its gravest finding. */
export function groupFindings(findings: readonly ReportFinding[]): FindingGroup[] {
  const byCause = Map.groupBy(findings, ({ causeId, number }) => causeId ?? number);
  return [...byCause.values()].map(groupOf);
}

/** The findings that count, for each page in the order of the report; a page that the report does not list comes last. */
export function groupByPage({ pages, findings }: Report): GroupedFindings {
  const groups = groupFindings(findings.filter(counts));
  const acrossPages = groups.filter((group) => group.pages.length > 1);
  const onOnePage = Map.groupBy(
    groups.filter((group) => group.pages.length === 1),
    ({ first }) => first.pageUrl,
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
