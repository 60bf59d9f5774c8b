import { memo } from 'react';
import { useDecisions } from '../../../findings/decide.ts';
import { FindingCard } from '../../../findings/finding-card.tsx';
import { FindingDetail } from '../../../findings/finding-detail.tsx';
import { pathOf } from '../../../findings/finding-text.ts';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import { decisionOn } from '../data/filter-run.ts';
import type { ListRow } from '../data/list-rows.ts';
import type { Fault, RunFinding } from '../data/merge-run.ts';
import { FaultCard } from './fault-card.tsx';
import styles from './findings-tab.module.css';

interface FindingListProps {
  rows: readonly ListRow[];
  current: string | undefined;
  /** The row that a key has moved to. */
  focused: { id: string } | undefined;
  selected: ReadonlySet<string>;
  /** Names the page of each finding. */
  hasPages: boolean;
  hasPicture: boolean;
  maySelect: boolean;
  onPress: (id: string) => void;
  onSelect: (findings: readonly RunFinding[], isSelected: boolean) => void;
  onDecided: () => void;
}

const HEIGHTS: Record<ListRow['kind'], number> = { fault: 58, finding: 58, page: 32, detail: 320 };

const heightOf = ({ kind }: ListRow): number => HEIGHTS[kind];

/** The findings of a review. */
export function FindingList(props: FindingListProps) {
  const { rows, current, focused } = props;
  return (
    <VirtualList label="Findings" rows={rows} heightOf={heightOf} current={current} focused={focused}>
      {(row, index) => (
        <div className={index === 0 ? undefined : styles.row}>
          <Row row={row} {...props} />
        </div>
      )}
    </VirtualList>
  );
}

function Row({ row, ...props }: { row: ListRow } & FindingListProps) {
  const { current, selected, maySelect, hasPages, onPress, onSelect, rows } = props;
  if (row.kind === 'page')
    return (
      <p className={styles.pageRow}>
        <span>{pathOf(row.page)}</span> {row.count}
      </p>
    );
  if (row.kind === 'detail') return <DetailRow row={row} {...props} />;
  const { id } = row;
  const passed = { isCurrent: current === id, maySelect, onPress, onSelect };
  if (row.kind === 'finding') {
    const { finding, isNested, isAlone } = row;
    return (
      <FindingRow
        finding={finding}
        isNested={isNested}
        showsPage={hasPages && isAlone}
        isSelected={selected.has(id)}
        {...passed}
      />
    );
  }
  const { fault } = row;
  const next = rows[rows.indexOf(row) + 1];
  const isOpen =
    next?.kind === 'page' || next?.kind === 'detail' || (next?.kind === 'finding' && next.isNested);
  const chosen =
    selected.size === 0 ? 0 : fault.findings.filter((finding) => selected.has(finding.id)).length;
  return <FaultRow id={id} fault={fault} isOpen={isOpen} chosen={chosen} {...passed} />;
}

interface RowProps extends Pick<FindingListProps, 'maySelect' | 'onPress' | 'onSelect'> {
  isCurrent: boolean;
}

const FaultRow = memo(function FaultRow({
  id,
  fault,
  isOpen,
  chosen,
  isCurrent,
  maySelect,
  onPress,
  onSelect,
}: RowProps & { id: string; fault: Fault; isOpen: boolean; chosen: number }) {
  return (
    <FaultCard
      fault={fault}
      isCurrent={isCurrent}
      isOpen={isOpen}
      chosen={chosen}
      onPress={() => onPress(id)}
      onSelect={maySelect ? (isSelected) => onSelect(fault.findings, isSelected) : undefined}
    />
  );
});

const FindingRow = memo(function FindingRow({
  finding,
  isNested,
  showsPage,
  isSelected,
  isCurrent,
  maySelect,
  onPress,
  onSelect,
}: RowProps & { finding: RunFinding; isNested: boolean; showsPage: boolean; isSelected: boolean }) {
  const { shown } = useDecisions();
  return (
    <FindingCard
      finding={finding.records[0]}
      shown={decisionOn(finding, shown)}
      severity={finding.severity}
      state={finding.state}
      number={finding.number}
      isCurrent={isCurrent}
      isSelected={isSelected}
      isPlaceOnly={isNested}
      showsPage={showsPage}
      onPress={() => onPress(finding.id)}
      onSelect={maySelect ? (isChosen) => onSelect([finding], isChosen) : undefined}
    >
      {!isNested && <span>{[...new Set(finding.records.map(({ agentName }) => agentName))].join(', ')}</span>}
    </FindingCard>
  );
});

function DetailRow({ row, hasPicture, onDecided }: { row: ListRow & { kind: 'detail' } } & FindingListProps) {
  const { finding, fault, isWhole } = row;
  const [first, ...rest] = finding.records;
  const others = isWhole
    ? fault.findings.flatMap(({ records }) => records).filter((record) => record !== first)
    : rest;
  return (
    <div className={styles.detail}>
      <FindingDetail
        finding={first}
        same={others}
        count={isWhole ? fault.findings.length : 1}
        hidesPicture={hasPicture}
        onDecided={onDecided}
      />
    </div>
  );
}
