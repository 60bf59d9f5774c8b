import { useDecisions } from '../../../findings/decide.ts';
import { FindingCard } from '../../../findings/finding-card.tsx';
import { FindingDetail } from '../../../findings/finding-detail.tsx';
import { pathOf } from '../../../findings/finding-text.ts';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import { decisionOn } from '../data/filter-run.ts';
import type { ListRow } from '../data/list-rows.ts';
import type { RunFinding } from '../data/merge-run.ts';
import { FaultCard } from './fault-card.tsx';
import styles from './findings-tab.module.css';

interface FindingListProps {
  rows: readonly ListRow[];
  current: string | undefined;
  hovered: string | undefined;
  selected: ReadonlySet<string>;
  /** Names the page of each finding. */
  hasPages: boolean;
  hasPicture: boolean;
  maySelect: boolean;
  onPress: (id: string) => void;
  onSelect: (findings: readonly RunFinding[], isSelected: boolean) => void;
  onHover: (id: string | undefined) => void;
  onDecided: () => void;
}

const HEIGHTS: Record<ListRow['kind'], number> = { fault: 58, finding: 58, page: 32, detail: 320 };

/** The findings of a review. */
export function FindingList(props: FindingListProps) {
  const { rows, current } = props;
  return (
    <VirtualList label="Findings" rows={rows} heightOf={({ kind }) => HEIGHTS[kind]} current={current}>
      {(row, index) => (
        <div className={index === 0 ? undefined : styles.row}>
          <Row row={row} {...props} />
        </div>
      )}
    </VirtualList>
  );
}

function Row({ row, ...props }: { row: ListRow } & FindingListProps) {
  const { current, selected, maySelect, onPress, onSelect, onHover, rows } = props;
  if (row.kind === 'page')
    return (
      <p className={styles.pageRow}>
        <span>{pathOf(row.page)}</span> {row.count}
      </p>
    );
  if (row.kind === 'detail') return <DetailRow row={row} {...props} />;
  if (row.kind === 'finding') return <FindingRow row={row} {...props} />;
  const { fault, id } = row;
  const next = rows[rows.indexOf(row) + 1];
  return (
    <FaultCard
      fault={fault}
      isCurrent={current === id}
      isOpen={next?.kind === 'page' || next?.kind === 'detail'}
      selected={selected}
      onPress={() => onPress(id)}
      onSelect={maySelect ? (isSelected) => onSelect(fault.findings, isSelected) : undefined}
      onHover={(isOver) => onHover(isOver ? fault.first.id : undefined)}
    />
  );
}

function FindingRow({ row, ...props }: { row: ListRow & { kind: 'finding' } } & FindingListProps) {
  const { current, selected, hasPages, maySelect, onPress, onSelect, onHover } = props;
  const { shown } = useDecisions();
  const { finding, isNested, isAlone, id } = row;
  return (
    <FindingCard
      finding={finding.records[0]}
      shown={decisionOn(finding, shown)}
      severity={finding.severity}
      state={finding.state}
      number={finding.number}
      isCurrent={current === id}
      isSelected={selected.has(id)}
      isPlaceOnly={isNested}
      showsPage={hasPages && isAlone}
      onPress={() => onPress(id)}
      onSelect={maySelect ? (isSelected) => onSelect([finding], isSelected) : undefined}
      onHover={(isOver) => onHover(isOver ? id : undefined)}
    >
      {!isNested && <span>{[...new Set(finding.records.map(({ agentName }) => agentName))].join(', ')}</span>}
    </FindingCard>
  );
}

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
