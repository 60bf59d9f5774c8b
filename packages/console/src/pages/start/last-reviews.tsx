import type { ReviewRecord } from '@redpen/client';
import { Link } from '@tanstack/react-router';
import { VerdictBadge } from '../../reviews/verdict-badge.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { SEVERITIES, SeverityBadge } from '../../ui/badge.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { plural, Time } from '../../ui/time.tsx';
import styles from './start.module.css';

/** The newest reviews, with what each found. */
export function LastReviews({ reviews }: { reviews: readonly ReviewRecord[] }) {
  const to = useKeyPath();
  const columns: readonly Column<ReviewRecord>[] = [
    {
      id: 'urls',
      header: 'Pages',
      kind: 'main',
      cell: ({ id, urls, agents }) => (
        <Link to={to(`/reviews/${id}`)} className={styles.place}>
          {urls[0]}
          <span className={styles.sub}>
            {urls.length > 1 && `and ${plural(urls.length - 1, 'more URL')} · `}
            {plural(agents.length, 'agent')}
          </span>
        </Link>
      ),
    },
    { id: 'verdict', header: 'Verdict', kind: 'tight', cell: (review) => <VerdictBadge review={review} /> },
    {
      id: 'findings',
      header: 'Open findings',
      cell: ({ counts }) =>
        SEVERITIES.filter((severity) => counts?.bySeverity[severity]).map((severity) => (
          <span key={severity}>
            <SeverityBadge severity={severity} count={counts?.bySeverity[severity] ?? 0} />{' '}
          </span>
        )),
    },
    { id: 'time', header: 'Started', kind: 'tight', cell: ({ startedAt }) => <Time at={startedAt} /> },
  ];
  return (
    <Card
      title="Last reviews"
      isFlush
      actions={
        <LinkButton to={to('/reviews')} size="small" variant="quiet">
          All reviews
        </LinkButton>
      }
    >
      <DataTable label="Last reviews" columns={columns} rows={reviews} keyOf={({ id }) => id} />
    </Card>
  );
}
