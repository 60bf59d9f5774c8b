import { isRedpenError, type ReviewRecord } from '@redpen/client';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { CloudOff, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { titleOf } from '../../reviews/review-title.ts';
import { useKeyPath } from '../../shell/key-path.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { EmptyState, Loading, Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { TabName, TabView } from '../../ui/tabs.tsx';
import { mergeRun } from './data/merge-run.ts';
import { useReport } from './data/use-report.ts';
import { useReview } from './data/use-review.ts';
import { useRunRecords } from './data/use-run-records.ts';
import { FindingsTab } from './findings/findings-tab.tsx';
import { AgentRows } from './parts/agent-rows.tsx';
import { CompareTab } from './parts/compare-tab.tsx';
import { LogTab } from './parts/log-tab.tsx';
import { PagesTab } from './parts/pages-tab.tsx';
import { RunActions } from './parts/run-actions.tsx';
import { RunSummary } from './parts/run-summary.tsx';
import { TrialBar } from './parts/trial-bar.tsx';
import styles from './run.module.css';
import { type RunSearch, readRunSearch, writeRunSearch } from './run-search.ts';

/** A review: while it runs, and what came of it. */
export function RunPage() {
  const { reviewId } = useParams({ strict: false }) as { reviewId: string };
  // Failures of one review are not those of the next.
  return <FollowedRun key={reviewId} reviewId={reviewId} />;
}

function FollowedRun({ reviewId }: { reviewId: string }) {
  const to = useKeyPath();
  const { query, isAway, failure } = useReview(reviewId);
  const { data: review, error, refetch } = query;
  if (review) return <Run review={review} isAway={isAway} failure={failure} />;
  return (
    <Page title="Review" crumbs={[{ label: 'Reviews', to: to('/reviews') }]}>
      {isRedpenError(error) && error.status === 'NOT_FOUND' ? (
        <EmptyState
          icon={SearchX}
          title="This review does not exist"
          action={<LinkButton to={to('/reviews')}>Show all reviews</LinkButton>}
        >
          It was deleted, or it belongs to another API key.
        </EmptyState>
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

/** The filters of the address, and how to change them. */
function useRunSearch(): [RunSearch, (change: Partial<RunSearch>) => void] {
  const given = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const search = useMemo(() => readRunSearch(given), [given]);
  const change = useCallback(
    (changes: Partial<RunSearch>) =>
      void navigate({
        to: '.',
        search: ((before: Record<string, unknown>) =>
          writeRunSearch({ ...readRunSearch(before), ...changes })) as never,
        replace: !('tab' in changes),
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, change];
}

function Run({ review, isAway, failure }: { review: ReviewRecord; isAway: boolean; failure: unknown }) {
  const to = useKeyPath();
  const [search, onSearch] = useRunSearch();
  const { report, failure: reportFailure } = useReport(review);
  const { byExecution, isLoading, failure: listFailure } = useRunRecords(review);
  const hasFailed = listFailure !== undefined;
  const onLog = useCallback((agent: string) => onSearch({ tab: 'log', agent }), [onSearch]);
  const isCompared = review.counts?.new !== undefined;
  const pages = useMemo(() => report?.pages.map(({ url }) => url) ?? review.urls, [report, review.urls]);
  const findings = useMemo(
    () => mergeRun(byExecution, { pages, isCompared }),
    [byExecution, pages, isCompared],
  );
  const problem = failure ?? listFailure ?? reportFailure;
  return (
    <Page
      title={titleOf(review)}
      crumbs={[{ label: 'Reviews', to: to('/reviews') }]}
      actions={
        <>
          <ShowAsCode calls={callsOf(review)} />
          <RunActions review={review} />
        </>
      }
      isFull
    >
      {isAway && (
        <p className={styles.away} role="status">
          <CloudOff size={16} aria-hidden /> The service does not answer. The page goes on when it is back.
        </p>
      )}
      {problem !== undefined && <Failure error={problem} />}
      <TrialBar review={review} />
      <RunSummary review={review} findings={findings} />
      <AgentRows review={review} onLog={onLog} />
      {review.status === 'ended' &&
        report?.notes.map((note) => (
          <p key={note} className={styles.note}>
            {note}
          </p>
        ))}
      <TabView
        label="Parts of the review"
        selected={search.tab}
        onSelect={(tab) => onSearch({ tab, agent: undefined })}
        tabs={[
          {
            id: 'findings',
            title: <TabName name="Findings" count={findings.length} />,
            content: (
              <FindingsTab {...{ review, findings, isLoading, hasFailed, report, search, onSearch }} />
            ),
          },
          {
            id: 'pages',
            title: <TabName name="Pages" count={report?.pages.length} />,
            content: <PagesTab {...{ review, report, findings, onSearch }} />,
          },
          { id: 'log', title: 'Log', content: <LogTab {...{ review, search, onSearch }} /> },
          {
            id: 'compare',
            title: 'Compare',
            content: <CompareTab {...{ review, report, findings, onSearch }} />,
          },
        ]}
      />
    </Page>
  );
}

const callsOf = ({ id, executions }: ReviewRecord) => [
  {
    title: 'Wait for what changes',
    path: '/v2/reviews/get',
    name: 'reviews.get',
    data: { reviewId: id, waitMs: 20_000 },
  },
  {
    title: 'Findings of a run',
    path: '/v2/agents/findings/list',
    name: 'findings.list',
    data: { executionId: executions[0]?.executionId, pageSize: 500 },
  },
  {
    title: 'The log of a run, from a line on',
    path: '/v2/agents/execution/events',
    name: 'executions.events',
    data: { executionId: executions[0]?.executionId, after: null, waitMs: 20_000 },
  },
  { title: 'A link to the report', path: '/v2/reviews/share', name: 'reviews.share', data: { reviewId: id } },
];
