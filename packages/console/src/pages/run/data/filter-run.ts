import type { Decidable, DecisionShown } from '../../../findings/decision-queue.ts';
import type { RunSearch } from '../run-search.ts';
import type { RunFinding } from './merge-run.ts';

export type ShownOf = (finding: Decidable) => DecisionShown;

const isClosed = ({ decision }: DecisionShown): boolean => decision === 'rejected' || decision === 'resolved';

/** The decision on a fault that several agents report: one that closes it counts for all. */
export function decisionOn({ records }: RunFinding, shown: ShownOf): DecisionShown {
  const all = records.map((record) => shown(record));
  return all.find(isClosed) ?? all.find(({ decision }) => decision !== 'undecided') ?? all[0]!;
}

const isShown = (finding: RunFinding, { shown: which }: RunSearch, shown: ShownOf): boolean => {
  if (which === 'all') return true;
  const decision = decisionOn(finding, shown);
  if (which === 'decided') return decision.decision !== 'undecided';
  return !isClosed(decision) && (which === 'open' || finding.state === 'new');
};

type Filter = RunSearch & { shownPage: string | undefined };

/** The findings that the filters of the address let through. `but` names a filter that does not count. */
export function filterRun(
  findings: readonly RunFinding[],
  search: Filter,
  shown: ShownOf,
  but?: 'severity',
): RunFinding[] {
  const text = search.text.trim().toLowerCase();
  return findings.filter(
    (finding) =>
      (but === 'severity' || search.severity.length === 0 || search.severity.includes(finding.severity)) &&
      (search.agent === undefined || finding.records.some(({ agentId }) => agentId === search.agent)) &&
      (!search.isPageOnly || finding.page === search.shownPage) &&
      (text === '' || textOf(finding).includes(text)) &&
      isShown(finding, search, shown),
  );
}

const textOf = ({ page, records: [{ title, targetText, suggestion, url, issueType }] }: RunFinding): string =>
  [title, targetText, suggestion, url, issueType, page].join('\n').toLowerCase();
