import type { ReviewRecord } from '@redpen/client';
import { GitCompareArrows } from 'lucide-react';
import { useMemo } from 'react';
import { pathOf } from '../../../findings/finding-text.ts';
import { SeverityBadge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, EmptyState, Loading } from '../../../ui/page.tsx';
import type { RunFinding } from '../data/merge-run.ts';
import type { RunReport } from '../data/use-report.ts';
import type { RunSearch } from '../run-search.ts';
import styles from './pages-tab.module.css';

const SHOWN = 50;

interface CompareTabProps {
  review: ReviewRecord;
  report: RunReport | undefined;
  findings: readonly RunFinding[];
  onSearch: (change: Partial<RunSearch>) => void;
}

/** What has changed since the runs before: new, fixed, and still there. */
export function CompareTab({ review, report, findings, onSearch }: CompareTabProps) {
  const added = useMemo(() => findings.filter(({ state }) => state === 'new'), [findings]);
  if (review.status === 'running') return <Loading label="The review is compared when it has ended" />;
  if (review.counts?.new === undefined)
    return (
      <EmptyState icon={GitCompareArrows} title="Nothing to compare with">
        This is the first review of these pages by these agents. The next one says what is new and what is
        fixed.
      </EmptyState>
    );
  if (!report) return <Loading />;
  const same = findings.length - added.length;
  return (
    <>
      <div className={styles.tiles}>
        <Tile count={added.length} name="New" />
        <Tile count={review.counts.fixed ?? report.fixed.length} name="Fixed" />
        <Tile count={same} name="Still there" />
      </div>
      <Card
        title="New"
        isFlush
        actions={
          added.length > 0 && (
            <Button size="small" onPress={() => onSearch({ tab: 'findings', shown: 'new' })}>
              Show in the list
            </Button>
          )
        }
      >
        <Changes
          changes={added.map(({ id, page, severity, records: [{ title }] }) => ({
            id,
            page,
            severity,
            title,
          }))}
          none="Nothing is new."
        />
      </Card>
      <Card title="Fixed" isFlush>
        <Changes
          changes={report.fixed.map(({ title, severity, pageUrl }, at) => ({
            id: `${at}`,
            title,
            severity,
            page: pageUrl,
          }))}
          none="Nothing was fixed."
        />
      </Card>
    </>
  );
}

const Tile = ({ count, name }: { count: number; name: string }) => (
  <div className={styles.tile}>
    <span>{name}</span>
    <b>{count}</b>
  </div>
);

type Change = Pick<RunFinding, 'id' | 'page' | 'severity'> & { title: string };

const Changes = ({ changes, none }: { changes: readonly Change[]; none: string }) => (
  <ul className={styles.changes}>
    {changes.slice(0, SHOWN).map(({ id, title, page, severity }) => (
      <li key={id}>
        <div>
          {title}
          <p>{pathOf(page)}</p>
        </div>
        <SeverityBadge severity={severity} />
      </li>
    ))}
    {changes.length === 0 && <li className={styles.none}>{none}</li>}
    {changes.length > SHOWN && <li>and {changes.length - SHOWN} more</li>}
  </ul>
);
