import type { FindingRecord } from '@redpen/client';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { StateBadge } from '../../findings/finding-badges.tsx';
import { FindingDetail } from '../../findings/finding-detail.tsx';
import { SeverityBadge } from '../../ui/badge.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import styles from './findings.module.css';

/** The finding of the address in detail. The filters of the list may leave it out, as those of a link may. */
export function useDetail({
  findingId,
  findings,
  onDecided,
}: {
  findingId: string | undefined;
  findings: readonly FindingRecord[];
  onDecided: () => void;
}) {
  const known = findings.find(({ id }) => id === findingId);
  const query = useKeyQuery(
    ['finding', findingId, 'alone'],
    async (redpen, signal) => (await redpen.findings.get({ findingId: findingId! }, { signal })).finding,
    { enabled: findingId !== undefined && !known },
  );
  if (findingId === undefined) return undefined;
  const finding = known ?? query.data;
  return {
    title: finding?.title ?? 'Finding',
    label: 'Finding',
    content: finding ? (
      <Detail key={findingId} finding={finding} onDecided={onDecided} />
    ) : (
      <QueryView query={query}>{(read) => <Detail finding={read} onDecided={onDecided} />}</QueryView>
    ),
  };
}

const Detail = ({ finding, onDecided }: { finding: FindingRecord; onDecided: () => void }) => (
  <>
    <p className={styles.marks}>
      <SeverityBadge severity={finding.severity} /> <StateBadge state={finding.state} />
    </p>
    <FindingDetail finding={finding} onDecided={onDecided} />
  </>
);
