import type { ReviewRecord } from '@redpen/client';
import { SEVERITIES } from '@redpen/elements/theme/severities';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, ScanSearch } from 'lucide-react';
import { useMemo } from 'react';
import { useKeyPages } from '../../data/use-key-query.ts';
import { titleOf } from '../../reviews/review-title.ts';
import { VerdictBadge } from '../../reviews/verdict-badge.tsx';
import { useMay } from '../../session/session.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { SeverityBadge } from '../../ui/badge.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { Card, EmptyState, Loading, Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { describeDuration, plural, Time } from '../../ui/time.ts';
import { NewReviewDialog } from './new-review-dialog.tsx';
import styles from './reviews.module.css';
import {
  listData,
  type Period,
  type ReviewsSearch,
  readReviewsSearch,
  type StatusFilter,
  writeReviewsSearch,
} from './reviews-search.ts';

const STATUS_CHOICES: readonly { id: StatusFilter; label: string }[] = [
  { id: 'all', label: 'All reviews' },
  { id: 'running', label: 'Running' },
  { id: 'ended', label: 'Ended' },
];
const PERIOD_CHOICES: readonly { id: Period; label: string }[] = [
  { id: 'any', label: 'Any time' },
  { id: 'day', label: 'Last 24 hours' },
  { id: 'week', label: 'Last 7 days' },
  { id: 'month', label: 'Last 30 days' },
];
const RENEW_MS = 3_000;

/** While the window is in view, the list follows reviews that run. */
const renewMs = (reviews: readonly ReviewRecord[]): number | false =>
  reviews.some(({ status }) => status === 'running') && RENEW_MS;

function useReviewsSearch(): [ReviewsSearch, (change: Partial<ReviewsSearch>) => void] {
  const given = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const search = readReviewsSearch(given);
  const change = (changes: Partial<ReviewsSearch>) =>
    void navigate({
      to: '.',
      search: writeReviewsSearch({ ...search, ...changes }) as never,
      replace: true,
      resetScroll: false,
    });
  return [search, change];
}

/** The reviews of the API key, newest first. */
export function ReviewsPage() {
  const may = useMay('editor');
  const [search, onSearch] = useReviewsSearch();
  const { status, period, isNew } = search;
  const data = useMemo(() => listData({ status, period, isNew: false }, Date.now()), [status, period]);
  const query = useKeyPages(
    ['reviews', data],
    async (redpen, pageToken, signal) => {
      const page = await redpen.reviews.list({ ...data, ...(pageToken && { pageToken }) }, { signal });
      return { items: page.reviews, next: page.nextPageToken };
    },
    { refetchInterval: renewMs },
  );
  const { items, error, isPending, refetch } = query;
  return (
    <Page
      title="Reviews"
      lead="Each review opens pages in a browser and lets agents examine them."
      actions={
        <>
          <ShowAsCode
            calls={[{ title: 'List reviews', path: '/v2/reviews/list', name: 'reviews.list', data }]}
          />
          {may && (
            <Button variant="primary" onPress={() => onSearch({ isNew: true })}>
              <Plus /> New review
            </Button>
          )}
        </>
      }
    >
      <div className={styles.filters}>
        <div className={styles.select}>
          <SelectInput
            label="Status"
            isLabelHidden
            choices={STATUS_CHOICES}
            value={status}
            onChange={(next) => onSearch({ status: next })}
          />
        </div>
        <div className={styles.select}>
          <SelectInput
            label="Time"
            isLabelHidden
            choices={PERIOD_CHOICES}
            value={period}
            onChange={(next) => onSearch({ period: next })}
          />
        </div>
      </div>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {items.length > 0 && <Reviews reviews={items} />}
      {!isPending && !error && items.length === 0 && (
        <NoReviews isFiltered={status !== 'all' || period !== 'any'} onSearch={onSearch} />
      )}
      {query.hasNextPage && (
        <div>
          <Button onPress={() => void query.fetchNextPage()} isPending={query.isFetchingNextPage}>
            Show older reviews
          </Button>
        </div>
      )}
      <NewReviewDialog isOpen={isNew && may} onClose={() => onSearch({ isNew: false })} />
    </Page>
  );
}

function NoReviews({
  isFiltered,
  onSearch,
}: {
  isFiltered: boolean;
  onSearch: (change: Partial<ReviewsSearch>) => void;
}) {
  const to = useKeyPath();
  if (isFiltered)
    return (
      <EmptyState
        icon={ScanSearch}
        title="No review is like this"
        action={<Button onPress={() => onSearch({ status: 'all', period: 'any' })}>Show all reviews</Button>}
      />
    );
  return (
    <EmptyState
      icon={ScanSearch}
      title="No reviews yet"
      action={
        <LinkButton to={to('/welcome')} variant="primary">
          Review a page
        </LinkButton>
      }
    >
      An address is all that it takes. Five agents look at the page, and their findings are pinned to its
      picture.
    </EmptyState>
  );
}

function Reviews({ reviews }: { reviews: readonly ReviewRecord[] }) {
  const to = useKeyPath();
  const columns: readonly Column<ReviewRecord>[] = [
    {
      id: 'pages',
      header: 'Pages',
      kind: 'main',
      cell: ({ id, urls, agents, preset, counts }) => (
        <>
          <Link className={styles.name ?? ''} to={to(`/reviews/${encodeURIComponent(id)}`)}>
            {titleOf({ urls })}
          </Link>
          <p className={styles.sub} title={agents.map(({ name }) => name).join(', ')}>
            {preset ? `Preset ${preset}` : plural(agents.length, 'agent')}
            {counts && `, ${plural(counts.pages, 'page')}`}
          </p>
        </>
      ),
    },
    { id: 'verdict', header: 'Verdict', kind: 'tight', cell: (review) => <VerdictBadge review={review} /> },
    { id: 'open', header: 'Open findings', cell: (review) => <Open review={review} /> },
    { id: 'changes', header: 'Changes', kind: 'tight', cell: (review) => <Changes review={review} /> },
    {
      id: 'duration',
      header: 'Duration',
      kind: 'end',
      cell: ({ durationMs }) => (durationMs === null ? '' : describeDuration(durationMs)),
    },
    { id: 'started', header: 'Started', kind: 'end', cell: ({ startedAt }) => <Time at={startedAt} /> },
  ];
  return (
    <Card isFlush>
      <DataTable label="Reviews" columns={columns} rows={reviews} keyOf={({ id }) => id} />
    </Card>
  );
}

function Open({ review: { counts, progress, status, verdict, executions } }: { review: ReviewRecord }) {
  if (verdict === 'broken')
    return (
      <p className={`${styles.sub} ${styles.failure}`}>
        {executions.find(({ error }) => error)?.error?.message}
      </p>
    );
  if (!counts)
    return (
      <span className={styles.sub}>
        {progress.urlsProcessed} of {progress.urlsPlanned}
        {status === 'running' && progress.findings > 0 && `, ${plural(progress.findings, 'finding')} so far`}
      </span>
    );
  return (
    <span className={styles.severities}>
      {SEVERITIES.filter((one) => counts.bySeverity[one]).map((one) => (
        <SeverityBadge key={one} severity={one} count={counts.bySeverity[one] ?? 0} />
      ))}
      {counts.open === 0 && <span className={styles.sub}>None</span>}
    </span>
  );
}

const Changes = ({ review: { counts } }: { review: ReviewRecord }) =>
  counts?.new === undefined ? (
    <span className={styles.sub}>First review</span>
  ) : (
    <span className={styles.changes}>
      {counts.new} new, {counts.fixed ?? 0} fixed
    </span>
  );
