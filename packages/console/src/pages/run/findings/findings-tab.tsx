import type { ReviewRecord } from '@redpen/client';
import { CircleAlert, SearchCheck } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useStable } from '../../../data/use-stable.ts';
import { type Decision, useDecisions } from '../../../findings/decide.ts';
import { DecideBar } from '../../../findings/decide-bar.tsx';
import { HoverContext, HoverStore } from '../../../findings/hover-store.ts';
import { RejectDialog } from '../../../findings/reject-dialog.tsx';
import { stepFrom, useFindingKeys, useSelection } from '../../../findings/use-finding-keys.ts';
import { useMay } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, Loading } from '../../../ui/page.tsx';
import { findingsOf, stopsOf } from '../data/list-rows.ts';
import type { RunFinding } from '../data/merge-run.ts';
import type { RunReport } from '../data/use-report.ts';
import type { RunSearch } from '../run-search.ts';
import { FindingFilters } from './finding-filters.tsx';
import { FindingList } from './finding-list.tsx';
import styles from './findings-tab.module.css';
import { PicturePane } from './picture-pane.tsx';
import { useFindingsView } from './use-findings-view.ts';

interface FindingsTabProps {
  review: ReviewRecord;
  findings: readonly RunFinding[];
  isLoading: boolean;
  /** The findings could not be read; the page says why. */
  hasFailed: boolean;
  report: RunReport | undefined;
  search: RunSearch;
  onSearch: (change: Partial<RunSearch>) => void;
}

/** The findings of a review beside the picture of the page that they are on. */
export function FindingsTab(props: FindingsTabProps) {
  const { review, findings, isLoading, report, search, onSearch } = props;
  const view = useFindingsView(findings, report, search);
  const [hover] = useState(() => new HoverStore());
  const maySelect = useMay('editor');
  const { rows, visible, page } = view;
  const stops = useMemo(() => stopsOf(rows), [rows]);
  const ids = useMemo(() => visible.map(({ id }) => id), [visible]);
  const selection = useSelection(ids);
  const open = useCallback((finding: string | undefined) => onSearch({ finding }), [onSearch]);
  const [focused, setFocused] = useState<{ id: string }>();
  const move = useCallback(
    (id: string | undefined) => {
      open(id);
      setFocused(id === undefined ? undefined : { id });
    },
    [open],
  );
  const rejecting = useKeys({ ...props, rows, stops, visible, selection, open, move });
  const press = useStable((id: string) => open(id === search.finding ? undefined : id));
  const select = useStable((some: readonly RunFinding[], isSelected: boolean) => {
    const next = new Set(selection.selected);
    for (const { id } of some) isSelected ? next.add(id) : next.delete(id);
    selection.set([...next]);
  });
  const goOn = () => move(stepFrom(stops, search.finding, 1));
  const hasPicture = page?.screenshot !== undefined;
  return (
    <HoverContext value={hover}>
      <div className={styles.tab}>
        {(findings.length > 0 || review.status === 'running') && (
          <FindingFilters
            agents={review.agents}
            isCompared={review.counts?.new !== undefined}
            bySeverity={view.bySeverity}
            search={view.filter}
            onSearch={onSearch}
          />
        )}
        <div className={styles.columns}>
          <PicturePane
            view={view}
            search={search}
            onSearch={onSearch}
            isRunning={review.status === 'running'}
          />
          <div className={styles.side}>
            <BulkBar visible={visible} selection={selection} maySelect={maySelect} />
            {rows.length > 0 ? (
              <FindingList
                rows={rows}
                current={search.finding}
                focused={focused}
                selected={selection.selected}
                hasPages={view.pages.length > 1}
                hasPicture={hasPicture}
                maySelect={maySelect}
                onPress={press}
                onSelect={select}
                onDecided={goOn}
              />
            ) : (
              <NoFindings {...props} isLoading={isLoading} />
            )}
          </div>
        </div>
        <RejectDialog {...rejecting} />
      </div>
    </HoverContext>
  );
}

interface KeysProps extends FindingsTabProps {
  rows: ReturnType<typeof useFindingsView>['rows'];
  stops: readonly string[];
  visible: readonly RunFinding[];
  selection: ReturnType<typeof useSelection>;
  open: (id: string | undefined) => void;
  /** Opens a finding and gives it the focus. */
  move: (id: string | undefined) => void;
}

/**
 * The keys of the list. They decide on the selected findings, and on the current one if none is selected. Returns what
 * the dialog needs that asks for a reason.
 */
function useKeys({ rows, stops, visible, search, selection, open, move }: KeysProps) {
  const decisions = useDecisions();
  const may = useMay('editor');
  const [isRejecting, setRejecting] = useState(false);
  const { selected, toggle, clear } = selection;
  const current = search.finding;
  const targets =
    selected.size > 0
      ? visible.filter(({ id }) => selected.has(id))
      : current === undefined
        ? []
        : findingsOf(rows, current);
  const records = targets.flatMap((finding) => finding.records);
  const decide = (decision: Decision, reason?: string): void => {
    decisions.decide(records, decision, { reason, count: targets.length });
    if (selected.size > 0) clear();
    else move(stepFrom(stops, current, 1));
  };
  useFindingKeys({
    ids: stops,
    current: current ?? [...selected][0],
    onMove: move,
    onAccept: () => may && decide('accepted'),
    onReject: () => may && targets.length > 0 && setRejecting(true),
    onResolve: () => may && decide('resolved'),
    onSelect(id) {
      if (may) for (const finding of findingsOf(rows, id)) toggle(finding.id);
    },
    onClose: () => open(undefined),
  });
  return {
    count: targets.length,
    isOpen: isRejecting,
    isFinal: records.some(({ annotationId }) => annotationId !== undefined),
    onClose: () => setRejecting(false),
    onReject: (reason: string | undefined) => decide('rejected', reason),
  };
}

function BulkBar({
  visible,
  selection: { selected, set, clear },
  maySelect,
}: {
  visible: readonly RunFinding[];
  selection: ReturnType<typeof useSelection>;
  maySelect: boolean;
}) {
  if (!maySelect || selected.size === 0) return null;
  const records = visible.filter(({ id }) => selected.has(id)).flatMap((finding) => finding.records);
  return (
    <section className={styles.bulk} aria-label="Selected findings">
      <b>{selected.size} selected</b>
      <DecideBar findings={records} count={selected.size} onDecided={clear} />
      {selected.size < visible.length && (
        <Button size="small" variant="quiet" onPress={() => set(visible.map(({ id }) => id))}>
          Select all {visible.length}
        </Button>
      )}
      <Button size="small" variant="quiet" onPress={clear}>
        Clear
      </Button>
    </section>
  );
}

function NoFindings({ review, findings, isLoading, hasFailed, search, onSearch }: FindingsTabProps) {
  if (isLoading || (review.status === 'running' && findings.length === 0))
    return <Loading rows={4} label="The agents are looking" />;
  if (findings.length === 0 && hasFailed) return null;
  if (findings.length === 0 && (review.verdict === 'broken' || review.verdict === 'incomplete'))
    return (
      <EmptyState
        icon={CircleAlert}
        title={review.verdict === 'broken' ? 'Nothing was examined' : 'No findings, but not all was examined'}
        action={<Button onPress={() => onSearch({ tab: 'log' })}>Show the log</Button>}
      >
        {review.executions.find(({ error }) => error)?.error?.message ?? 'Some agents or pages failed.'} The
        log says more.
      </EmptyState>
    );
  if (findings.length === 0)
    return (
      <EmptyState icon={SearchCheck} title="Nothing to mend">
        The agents found nothing on {review.counts?.pages === 1 ? 'this page' : 'these pages'}.
      </EmptyState>
    );
  const reset = { shown: 'all', severity: [], agent: undefined, text: '', isPageOnly: false } as const;
  return (
    <EmptyState
      icon={SearchCheck}
      title={search.shown === 'open' ? 'Nothing is open' : 'No finding is like this'}
      action={<Button onPress={() => onSearch(reset)}>Show all {findings.length}</Button>}
    >
      The filters hide the {findings.length === 1 ? 'finding' : `${findings.length} findings`} of this review.
    </EmptyState>
  );
}
