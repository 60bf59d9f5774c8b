import type { FindingRecord } from '@redpen/client';
import { useCallback } from 'react';
import { useDecisions } from '../../findings/decide.ts';
import { RejectDialog } from '../../findings/reject-dialog.tsx';
import { useMay } from '../../session/session.tsx';
import { Page } from '../../ui/page.tsx';
import { type Call, ShowAsCode } from '../../ui/show-as-code.tsx';
import { ListHead, SplitView } from '../../ui/split-view.tsx';
import { formatNumber, plural } from '../../ui/time.ts';
import { BulkBar } from './bulk-bar.tsx';
import { useDetail } from './finding-panel.tsx';
import styles from './findings.module.css';
import { InboxFilters } from './inbox-filters.tsx';
import { InboxList } from './inbox-list.tsx';
import { useInbox, useInboxSearch } from './use-inbox.ts';
import { useTriage } from './use-triage.ts';

const callsOf = (request: object, findingId: string): Call[] => [
  { title: 'List the findings', path: '/v2/agents/findings/list', name: 'findings.list', data: request },
  {
    title: 'Decide on findings',
    path: '/v2/agents/findings/decide',
    name: 'findings.decide',
    data: { findingIds: [findingId], decision: 'rejected', reason: 'It is a quotation.' },
  },
];

const KEYS = [
  { keys: ['J', 'K'], action: 'move' },
  { keys: ['Enter'], action: 'open' },
  { keys: ['X'], action: 'select' },
  { keys: ['A'], action: 'accept' },
  { keys: ['R'], action: 'reject' },
  { keys: ['E'], action: 'resolve' },
];

/** The findings over all reviews, with the keys and buttons that decide on them. */
export function FindingsPage() {
  const { search, change } = useInboxSearch();
  const decisions = useDecisions();
  const mayDecide = useMay('editor');
  const inbox = useInbox(search, decisions);
  const { findings, hasNextPage } = inbox;
  const onOpen = useCallback(
    (finding: FindingRecord | undefined) => change({ finding: finding?.id }),
    [change],
  );
  const triage = useTriage({
    findings,
    grouping: search.group ?? 'cause',
    decisions,
    mayDecide,
    openId: search.finding,
    onOpen,
  });
  const causes = triage.rows.filter(({ kind }) => kind === 'cause').length;
  const detail = useDetail({
    findingId: search.finding,
    findings,
    onDecided: triage.refocus,
  });
  return (
    <Page
      title="Findings"
      isFull
      actions={
        <ShowAsCode calls={callsOf(inbox.request, search.finding ?? findings[0]?.id ?? 'fnd_1a2B3cD4eF5g')} />
      }
    >
      <InboxFilters search={search} change={change} />
      <SplitView
        label="List of findings"
        detail={detail}
        onClose={() => onOpen(undefined)}
        list={
          <>
            <ListHead>
              <span aria-live="polite">
                {inbox.data &&
                  `${formatNumber(findings.length)}${hasNextPage ? '+' : ''} ${findings.length === 1 ? 'finding' : 'findings'}`}
                {inbox.data && causes > 0 && `, ${plural(causes, 'cause')} in several places`}
              </span>
              <span className={styles.keys} aria-hidden>
                {KEYS.map(({ keys, action }) => (
                  <span key={action}>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}{' '}
                    {action}
                  </span>
                ))}
              </span>
            </ListHead>
            {mayDecide && (
              <BulkBar
                count={triage.chosen.length}
                total={findings.length}
                onDecide={triage.decide}
                onSelectAll={triage.selectAll}
                onClear={triage.clear}
              />
            )}
            <InboxList inbox={inbox} triage={triage} decisions={decisions} search={search} change={change} />
          </>
        }
      />
      <RejectDialog
        count={triage.rejecting?.length ?? 0}
        isOpen={triage.rejecting !== undefined}
        isFinal={triage.rejecting?.some(({ annotationId }) => annotationId !== undefined) ?? false}
        onClose={triage.stopRejecting}
        onReject={triage.reject}
      />
    </Page>
  );
}
