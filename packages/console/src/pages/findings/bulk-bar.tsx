import { Check, CircleCheck, RotateCcw, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/time.ts';
import type { Decision } from './finding-filter.ts';
import styles from './findings.module.css';

/** What can be done with the findings that are selected. */
export function BulkBar({
  count,
  total,
  onDecide,
  onSelectAll,
  onClear,
}: {
  count: number;
  /** Number of findings that have been read. */
  total: number;
  onDecide: (decision: Decision) => void;
  onSelectAll: () => void;
  onClear: () => void;
}) {
  if (count === 0) return null;
  return (
    <div className={styles.bulk} role="toolbar" aria-label="Decide on the selected findings">
      <b aria-live="polite">{plural(count, 'finding')} selected</b>
      <Button size="small" onPress={() => onDecide('accepted')}>
        <Check /> Accept
      </Button>
      <Button size="small" onPress={() => onDecide('rejected')}>
        <X /> Reject
      </Button>
      <Button size="small" onPress={() => onDecide('resolved')}>
        <CircleCheck /> Resolve
      </Button>
      <Button size="small" onPress={() => onDecide('undecided')}>
        <RotateCcw /> Reopen
      </Button>
      <span className={styles.spread} />
      {count < total && (
        <Button size="small" variant="quiet" onPress={onSelectAll}>
          Select all {total}
        </Button>
      )}
      <Button size="small" variant="quiet" onPress={onClear}>
        Clear
      </Button>
    </div>
  );
}
