import type { Finding, FindingRecord, Position, Severity } from '@redpen/client';
import { gravest, mergeFindings } from '../../../../../../src/report/merge-findings.ts';
import { SEVERITY_RANKS } from '../../../../../../src/report/severity-ranks.ts';

/** A fault on a page, as one or more agents report it. */
export interface RunFinding {
  /** The id of the first of its records. */
  id: string;
  /** From 1, in the order of the list; pins show it. */
  number: number;
  /** The record that says the most, and those of other agents about the same fault. */
  records: readonly [FindingRecord, ...FindingRecord[]];
  severity: Severity;
  /** Address of the page, as the run has it. */
  page: string;
  position?: Position;
  outsideScreenshot?: boolean;
  /** Against the run before; undefined if there was none. */
  state?: 'new' | 'still_there';
}

/** One fault in several places, or a single finding. */
export interface Fault {
  /** The gravest of them. */
  first: RunFinding;
  findings: readonly RunFinding[];
  pages: number;
}

interface MergeOptions {
  /** Pages in the order in which they are listed. */
  pages: readonly string[];
  /** True if the runs are compared with earlier ones. */
  isCompared: boolean;
}

/** Merges the findings of all agents as reports do, and numbers them: the gravest first, then by page and place. */
export function mergeRun(
  byExecution: ReadonlyMap<string, readonly FindingRecord[]>,
  { pages, isCompared }: MergeOptions,
): RunFinding[] {
  const order = new Map(pages.map((page, at) => [page, at]));
  const records = new Map<string, FindingRecord>();
  for (const ofRun of byExecution.values()) for (const record of ofRun) records.set(record.id, record);
  const byPage = Map.groupBy(records.values(), ({ sourceUrl }) => sourceUrl);
  const found: Omit<RunFinding, 'number'>[] = [];
  for (const [page, ofPage] of byPage) {
    const given = ofPage.map((record) => ({ agentId: record.agentId, finding: record as Finding }));
    for (const merged of mergeFindings(given)) {
      const all = merged.map(({ finding }) => finding as FindingRecord) as [
        FindingRecord,
        ...FindingRecord[],
      ];
      const placed = all.find(({ position }) => position);
      const isKnown = all.some(({ state }) => state !== 'new');
      found.push({
        id: all[0].id,
        records: all,
        severity: gravest(all.map(({ severity }) => severity)),
        page,
        ...(placed?.position && { position: placed.position }),
        ...(placed?.outsideScreenshot && { outsideScreenshot: true }),
        ...(isCompared && { state: isKnown ? ('still_there' as const) : ('new' as const) }),
      });
    }
  }
  return found
    .sort((one, other) => compare(one, other, order))
    .map((finding, at) => ({ ...finding, number: at + 1 }));
}

type Placed = Omit<RunFinding, 'number'>;

const LAST = Number.MAX_SAFE_INTEGER;

function compare(one: Placed, other: Placed, order: ReadonlyMap<string, number>): number {
  return (
    SEVERITY_RANKS[one.severity] - SEVERITY_RANKS[other.severity] ||
    (order.get(one.page) ?? LAST) - (order.get(other.page) ?? LAST) ||
    (one.page < other.page ? -1 : one.page > other.page ? 1 : 0) ||
    (one.position?.y ?? LAST) - (other.position?.y ?? LAST) ||
    (one.position?.x ?? 0) - (other.position?.x ?? 0) ||
    (one.records[0].issueType < other.records[0].issueType ? -1 : 1)
  );
}

/** Groups findings of one cause; the order remains. */
export function groupFaults(findings: readonly RunFinding[]): Fault[] {
  const groups = Map.groupBy(findings, ({ id, records: [{ causeId, issueType }] }) =>
    causeId === undefined ? id : `${causeId} ${issueType}`,
  );
  return Array.from(groups.values(), (members) => ({
    first: members[0]!,
    findings: members,
    pages: new Set(members.map(({ page }) => page)).size,
  }));
}
