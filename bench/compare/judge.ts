import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  /** The part of `found` that a person recognized. */
  byHand: Planted[];
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
const isOf = (reported: Reported, planted: Planted): boolean =>
  isAt(reported, planted) && KINDS[planted.kind]!.test(reported.rule);

interface Recognized {
  site: string;
  kind: string;
  mark: string;
  /** Words of the rule and of the text of a report that is of the fault. */
  rule: string;
  text: string;
}

/**
 * Reports of planted faults whose words the matcher does not know. A person has read all reports that it leaves over,
 * and found these; the lists of what is planted stay as they were before the first run.
 */
const recognized = JSON.parse(
  readFileSync(join(import.meta.dirname, 'by-hand.json'), 'utf8'),
) as Recognized[];

const isRecognized = ({ page, rule, text }: Reported, { kind, pages, marks }: Planted, site: string) =>
  recognized.some(
    (each) =>
      each.site === site &&
      each.kind === kind &&
      marks.includes(each.mark) &&
      pages.includes(page) &&
      rule.includes(each.rule) &&
      text.includes(each.text),
  );

/** Compares what a tool reports with what is planted. */
export function judge(tool: Tool, site: PlantedSite, reports: readonly Reported[]): Judgment {
  const trade: readonly string[] = TRADES[tool];
  const judged = reports.filter((report) => !site.unjudged?.some((each) => isAt(report, each)));
  const isMatched = (fault: Planted) => judged.some((report) => isOf(report, fault));
  const isSeen = (fault: Planted) => judged.some((report) => isRecognized(report, fault, site.site));
  const isFound = (fault: Planted) => isMatched(fault) || isSeen(fault);
  const looksFor = ({ kind }: Planted) => trade.includes(kind);
  const isPlanted = (report: Reported) =>
    site.faults.some((fault) => isOf(report, fault) || isRecognized(report, fault, site.site));
  // A decoy of one page tells more than one of all pages.
  const decoys = site.decoys.toSorted((a, b) => Number(a.pages === 'all') - Number(b.pages === 'all'));
  const decoyOf = (report: Reported) => decoys.find((decoy) => isOf(report, decoy));
  const notPlanted = judged.filter((report) => !isPlanted(report));
  return {
    found: site.faults.filter((fault) => looksFor(fault) && isFound(fault)),
    byHand: site.faults.filter((fault) => looksFor(fault) && isSeen(fault) && !isMatched(fault)),
    missed: site.faults.filter((fault) => looksFor(fault) && !isFound(fault)),
    notLookedFor: site.faults.filter((fault) => !looksFor(fault) && !isFound(fault)),
    besides: site.faults.filter((fault) => !looksFor(fault) && isFound(fault)),
    wrong: notPlanted.flatMap((report) => {
      const decoy = decoyOf(report);
      return decoy ? [{ decoy, report }] : [];
    }),
    others: notPlanted.filter((report) => !decoyOf(report)),
  };
}
