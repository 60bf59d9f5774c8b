import { KINDS, type Tool, TRADES } from './trades.ts';

/** One thing that a tool reports, in the same form for all tools. */
export interface Reported {
  /** Path of the page. */
  page: string;
  /** Id of the rule, and its title. */
  rule: string;
  /** All other words of the report: place, quotation, address. */
  text: string;
}

interface Planted {
  kind: string;
  pages: string[] | 'all';
  /** Any of these words tells the place. A fault of the whole page has none. */
  marks: string[];
  why?: string;
}

export interface PlantedSite {
  site: string;
  pages: string[];
  faults: Planted[];
  decoys: Planted[];
  /** What is left out, because reports on it cannot be judged here. */
  unjudged?: Omit<Planted, 'kind'>[];
}

export interface Judgment {
  found: Planted[];
  missed: Planted[];
  notLookedFor: Planted[];
  /** Faults that are found although the tool does not promise to look for them. */
  besides: Planted[];
  /** Reports of decoys, each with the first decoy that it is of. */
  wrong: { decoy: Planted; report: Reported }[];
  /** Reports that are neither of a planted fault nor of a decoy. */
  others: Reported[];
}

const isAt = ({ page, rule, text }: Reported, { pages, marks }: Omit<Planted, 'kind'>): boolean =>
  (pages === 'all' || pages.includes(page)) &&
  (marks.length === 0 || marks.some((mark) => `${text}\n${rule}`.includes(mark)));

/** True if a report is on the page of a planted thing, of its kind, and names its place. */
export const isOf = (reported: Reported, planted: Planted): boolean =>
  isAt(reported, planted) && KINDS[planted.kind]!.test(reported.rule);

/** Compares what a tool reports with what is planted. */
export function judge(tool: Tool, site: PlantedSite, reports: readonly Reported[]): Judgment {
  const trade: readonly string[] = TRADES[tool];
  const judged = reports.filter((report) => !site.unjudged?.some((each) => isAt(report, each)));
  const isFound = (fault: Planted) => judged.some((report) => isOf(report, fault));
  const looksFor = ({ kind }: Planted) => trade.includes(kind);
  return {
    found: site.faults.filter((fault) => looksFor(fault) && isFound(fault)),
    missed: site.faults.filter((fault) => looksFor(fault) && !isFound(fault)),
    notLookedFor: site.faults.filter((fault) => !looksFor(fault) && !isFound(fault)),
    besides: site.faults.filter((fault) => !looksFor(fault) && isFound(fault)),
    wrong: judged
      .filter((report) => !site.faults.some((fault) => isOf(report, fault)))
      .flatMap((report) => {
        const decoy = site.decoys.find((each) => isOf(report, each));
        return decoy ? [{ decoy, report }] : [];
      }),
    others: judged.filter((report) => ![...site.faults, ...site.decoys].some((each) => isOf(report, each))),
  };
}
