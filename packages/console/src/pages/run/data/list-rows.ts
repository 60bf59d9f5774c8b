import type { Fault, RunFinding } from './merge-run.ts';

/** A row of the list of findings. Rows of the kinds `fault` and `finding` can be the current one. */
export type ListRow =
  | { kind: 'fault'; id: string; fault: Fault }
  /** `isAlone`: a place that is the only one on its page, which it names itself. */
  | { kind: 'finding'; id: string; finding: RunFinding; isNested: boolean; isAlone: boolean }
  | { kind: 'page'; id: string; page: string; count: number }
  | { kind: 'detail'; id: string; fault: Fault; finding: RunFinding; isWhole: boolean };

export const faultId = ({ first }: Fault): string => `all-${first.id}`;

/** The rows of faults: those in several places have a heading, and show the places when they are open. */
export function rowsOf(faults: readonly Fault[], current: string | undefined): ListRow[] {
  const rows: ListRow[] = [];
  for (const fault of faults) {
    const { findings, first } = fault;
    if (findings.length === 1) {
      rows.push({ kind: 'finding', id: first.id, finding: first, isNested: false, isAlone: true });
      if (current === first.id)
        rows.push({ kind: 'detail', id: `detail ${first.id}`, fault, finding: first, isWhole: false });
      continue;
    }
    const id = faultId(fault);
    rows.push({ kind: 'fault', id, fault });
    const isOpen = current === id || findings.some((finding) => finding.id === current);
    if (!isOpen) continue;
    if (current === id)
      rows.push({ kind: 'detail', id: `detail ${id}`, fault, finding: first, isWhole: true });
    rows.push(...placesOf(fault, current));
  }
  return rows;
}

function placesOf(fault: Fault, current: string | undefined): ListRow[] {
  return [...Map.groupBy(fault.findings, ({ page }) => page)].flatMap(([page, findings]): ListRow[] => [
    ...(findings.length > 1
      ? [{ kind: 'page', id: `page ${faultId(fault)} ${page}`, page, count: findings.length } as const]
      : []),
    ...findings.flatMap((finding): ListRow[] => [
      { kind: 'finding', id: finding.id, finding, isNested: true, isAlone: findings.length === 1 },
      ...(current === finding.id
        ? [{ kind: 'detail', id: `detail ${finding.id}`, fault, finding, isWhole: false } as const]
        : []),
    ]),
  ]);
}

/** What the keys can walk through, in order. */
export const stopsOf = (rows: readonly ListRow[]): string[] =>
  rows.flatMap(({ kind, id }) => (kind === 'fault' || kind === 'finding' ? [id] : []));

/** The findings for which an id of a row stands. */
export function findingsOf(rows: readonly ListRow[], id: string): readonly RunFinding[] {
  const row = rows.find((one) => one.id === id);
  if (row?.kind === 'fault') return row.fault.findings;
  return row?.kind === 'finding' ? [row.finding] : [];
}
