import type { MemoryPattern } from '@redpen/client';
import { RefreshCw, Waypoints } from 'lucide-react';
import { useKeyMutation, useKeyQuery } from '../../../data/use-key-query.ts';
import { useMay } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { DataTable } from '../../../ui/table.tsx';
import { formatNumber, Time } from '../../../ui/time.ts';
import { announce } from '../../../ui/toasts.tsx';
import styles from '../memory.module.css';
import { MEMORY, percent } from '../memory-data.ts';

const CATEGORIES = {
  approved: { text: 'Approved', tone: 'good' },
  rejected: { text: 'Rejected', tone: 'bad' },
  disputed: { text: 'Disputed', tone: 'warn' },
} as const;

/** What reviewers keep deciding in the same way. */
export function PatternsPanel() {
  const mayEdit = useMay('editor');
  const patterns = useKeyQuery([...MEMORY, 'patterns'], (redpen, signal) =>
    redpen.memory.patterns({}, { signal }),
  );
  const compute = useKeyMutation((redpen, force: boolean) => redpen.memory.consolidate({ force }), {
    renews: [MEMORY],
  });
  const computeNow = async (): Promise<void> => {
    const done = await compute.mutateAsync(true);
    announce(
      done.started
        ? 'Patterns, reviewers and alerts are being computed.'
        : 'Patterns, reviewers and alerts are up to date.',
    );
  };
  return (
    <>
      <div className={styles.head}>
        <p className={styles.muted}>They are computed every hour, and guide what agents report.</p>
        {mayEdit && (
          <Button isPending={compute.isPending} onPress={() => void computeNow().catch(() => undefined)}>
            <RefreshCw /> Compute now
          </Button>
        )}
      </div>
      {compute.error && <Failure error={compute.error} />}
      <QueryView query={patterns}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={Waypoints} title="No patterns yet">
              When several people decide similar findings in the same way, it becomes a pattern.
            </EmptyState>
          ) : (
            <PatternTable patterns={found} />
          )
        }
      </QueryView>
    </>
  );
}

const PatternTable = ({ patterns }: { patterns: readonly MemoryPattern[] }) => (
  <Card isFlush>
    <DataTable
      label="Patterns"
      rows={patterns}
      keyOf={({ patternId }) => patternId}
      columns={[
        {
          id: 'category',
          header: 'Decision',
          kind: 'tight',
          cell: ({ category }) => <Badge tone={CATEGORIES[category].tone}>{CATEGORIES[category].text}</Badge>,
        },
        {
          id: 'pattern',
          header: 'Pattern',
          kind: 'main',
          cell: ({ description, contentType, organizationId }) => (
            <>
              {description}
              <div className={styles.small}>
                {[contentType, organizationId ?? 'All organizations'].filter(Boolean).join(', ')}
              </div>
            </>
          ),
        },
        {
          id: 'rate',
          header: 'Followed',
          kind: 'end',
          cell: ({ enforcementRate }) => (enforcementRate === undefined ? '–' : percent(enforcementRate)),
        },
        {
          id: 'judgments',
          header: 'Judgments',
          kind: 'end',
          cell: ({ sourceCount }) => formatNumber(sourceCount),
        },
        {
          id: 'reviewers',
          header: 'Reviewers',
          kind: 'end',
          cell: ({ uniqueReviewers }) => formatNumber(uniqueReviewers ?? 0),
        },
        { id: 'when', header: 'Updated', kind: 'tight', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
      ]}
    />
  </Card>
);
