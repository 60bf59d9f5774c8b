import type { ReviewRecord } from '@redpen/client';
import { SEVERITIES } from '@redpen/elements/theme/severities';
import { Link } from '@tanstack/react-router';
import { titleOf } from '../../reviews/review-title.ts';
import { VerdictBadge } from '../../reviews/verdict-badge.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { SeverityBadge } from '../../ui/badge.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { plural, Time } from '../../ui/time.ts';
import styles from './start.module.css';

/** The newest reviews, with what each found. */
export function LastReviews({ reviews }: { reviews: readonly ReviewRecord[] }) {
  const to = useKeyPath();
  const columns: readonly Column<ReviewRecord>[] = [
    {
      id: 'urls',
      header: 'Pages',
      kind: 'main',
      cell: (review) => (
        <>
          <Link to={to(`/reviews/${encodeURIComponent(review.id)}`)} className={styles.place}>
            {titleOf(review)}
          </Link>
          <p className={styles.sub}>{plural(review.agents.length, 'agent')}</p>
        </>
      ),
    },
    { id: 'verdict', header: 'Verdict', kind: 'tight', cell: (review) => <VerdictBadge review={review} /> },
    {
      id: 'findings',
      header: 'Open findings',
      cell: ({ counts }) => (
        <span className={styles.severities}>
          {SEVERITIES.filter((severity) => counts?.bySeverity[severity]).map((severity) => (
            <SeverityBadge key={severity} severity={severity} count={counts?.bySeverity[severity] ?? 0} />
          ))}
          {counts?.open === 0 && <span className={styles.sub}>None</span>}
        </span>
      ),
    },
    { id: 'time', header: 'Started', kind: 'end', cell: ({ startedAt }) => <Time at={startedAt} /> },
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
