import type { FindingRecord, Severity } from '@redpen/client';
import { SEVERITIES } from '@redpen/elements/theme/severities';
import type { Grouping } from './finding-filter.ts';

/** Findings with one cause in several places. */
export interface CauseRow {
  kind: 'cause';
  key: string;
  findings: readonly FindingRecord[];
  /** Number of pages with such a place. */
  pages: number;
  severity: Severity;
  isExpanded: boolean;
}

export interface FindingRow {
  kind: 'finding';
  key: string;
  findings: readonly [FindingRecord];
  /** It belongs to the cause above it. */
  isPlace: boolean;
}

export type InboxRow = CauseRow | FindingRow;

const rankOf = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** A cause is known by its id within an agent and a document. */
const causeKeyOf = ({ id, causeId, agentId, organizationId, documentId }: FindingRecord): string =>
  causeId === undefined ? id : JSON.stringify([causeId, agentId, organizationId, documentId]);

const findingRow = (finding: FindingRecord, isPlace = false): FindingRow => ({
  kind: 'finding',
  key: finding.id,
  findings: [finding],
  isPlace,
});

/** The rows of a list: findings, or their causes with the places of those that are expanded. */
export function rowsOf(
  findings: readonly FindingRecord[],
  grouping: Grouping,
  expanded: ReadonlySet<string>,
): InboxRow[] {
  if (grouping === 'none') return findings.map((finding) => findingRow(finding));
  const rows: InboxRow[] = [];
  for (const [key, places] of Map.groupBy(findings, causeKeyOf)) {
    const [first] = places as [FindingRecord];
    if (places.length === 1) {
      rows.push(findingRow(first));
      continue;
    }
    const isExpanded = expanded.has(key);
    rows.push({
      kind: 'cause',
      key,
      findings: places,
      pages: new Set(places.map(({ pageUrl }) => pageUrl)).size,
      severity: places.reduce(
        (gravest, { severity }) => (rankOf(severity) < rankOf(gravest) ? severity : gravest),
        first.severity,
      ),
      isExpanded,
    });
    if (isExpanded) for (const place of places) rows.push(findingRow(place, true));
  }
  return rows;
}

/** Selects all findings of a row, or none of them if all are selected. */
export function toggle(selected: ReadonlySet<string>, { findings }: Pick<InboxRow, 'findings'>): Set<string> {
  const changed = new Set(selected);
  const isWhole = findings.every(({ id }) => selected.has(id));
  for (const { id } of findings) {
    if (isWhole) changed.delete(id);
    else changed.add(id);
  }
  return changed;
}

/** Where the cursor stands after the list has changed: on its row, or on the row that took its place. */
export function cursorIn(rows: readonly InboxRow[], key: string | undefined, index: number): number {
  const at = key === undefined ? -1 : rows.findIndex((row) => row.key === key);
  return at >= 0 ? at : Math.min(index, rows.length - 1);
}

/** What people know a page by: its path, or its host if it is the first page of a site. */
export function shortAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname, search } = new URL(address);
  return pathname === '/' && search === '' ? host : pathname + search;
}
