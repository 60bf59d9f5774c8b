import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { focusRow } from './row-focus.ts';
import styles from './scroll-list.module.css';

export { ROW_FOCUS } from './row-focus.ts';

/**
 * A long list of which only the rows in view are in the page. It scrolls by itself, reads more when its end comes into
 * view, and moves the focus to the row of `focused` whenever that changes.
 */
export function ScrollList<T>({
  label,
  rows,
  keyOf,
  estimate,
  focused,
  onEnd,
  foot,
  children,
}: {
  label: string;
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** Height of a row in pixels before it is measured. */
  estimate: number;
  /** The row that the person has moved to by the keyboard; a new object each time. */
  focused?: { index: number } | undefined;
  onEnd?: () => void;
  /** What follows the last row. */
  foot?: ReactNode;
  children: (row: T, index: number) => ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => estimate,
    getItemKey: (index) => keyOf(rows[index]!),
    overscan: 8,
  });
  const shown = list.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= rows.length - 5) onEnd?.();
  }, [last, rows.length, onEnd]);
  useLayoutEffect(() => {
    if (!focused || focused.index < 0) return;
    list.scrollToIndex(focused.index);
    return focusRow(
      () => box.current,
      () => focused.index,
    );
  }, [focused, list]);
  return (
    <div className={styles.box} ref={box}>
      <ul aria-label={label} className={styles.list} style={{ blockSize: list.getTotalSize() }}>
        {shown.map(({ index, key, start }) => (
          <li
            key={key}
            ref={list.measureElement}
            data-index={index}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            className={styles.row}
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(rows[index]!, index)}
          </li>
        ))}
      </ul>
      {foot}
    </div>
  );
}
