import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { focusRow } from './row-focus.ts';
import styles from './virtual-list.module.css';

interface VirtualListProps<T extends { id: string }> {
  label: string;
  rows: readonly T[];
  /** The probable height of a row in pixels, until it is measured; always the same function. */
  heightOf: (row: T) => number;
  /** The row that is scrolled into view when it changes. */
  current?: string | undefined;
  /** The row that the person has moved to by a key, whose `ROW_FOCUS` takes the focus; a new object each time. */
  focused?: { id: string } | undefined;
  /** Keeps the last row in view while rows are added, if it is in view already. */
  followsEnd?: boolean;
  children: (row: T, index: number) => ReactNode;
}

/** What sticks to the top of the window may cover that much of it. */
const COVERED_PX = 72;

/** The distance from the top of the document, which changes with what is above. */
function useTop(ref: { current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const place = () => setTop((ref.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    place();
    const observer = new ResizeObserver(place);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [ref]);
  return top;
}

const isAtEnd = (): boolean =>
  window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 120;

/** A list that scrolls with the window, of which only the rows in view are in the page. */
export function VirtualList<T extends { id: string }>(props: VirtualListProps<T>) {
  const { label, rows, heightOf, current, focused, followsEnd, children } = props;
  const ref = useRef<HTMLUListElement>(null);
  const scrollMargin = useTop(ref);
  const wasAtEnd = useRef(false);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: useCallback((at: number) => heightOf(rows[at]!), [rows, heightOf]),
    getItemKey: useCallback((at: number) => rows[at]!.id, [rows]),
    overscan: 8,
    scrollMargin,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the rows alone must not move the page.
  useEffect(() => {
    const at = current === undefined ? -1 : rows.findIndex(({ id }) => id === current);
    if (at < 0) return;
    const element = ref.current?.querySelector(`[data-index="${at}"]`)?.getBoundingClientRect();
    const isInView = element && element.top >= COVERED_PX && element.bottom <= window.innerHeight;
    if (!isInView) virtual.scrollToIndex(at, { align: 'center' });
  }, [current]);
  const latest = useRef(rows);
  latest.current = rows;
  useLayoutEffect(() => {
    if (!focused) return;
    return focusRow(
      () => ref.current,
      // What opens and closes with the row changes the places of others.
      () => latest.current.findIndex(({ id }) => id === focused.id),
    );
  }, [focused]);
  useEffect(() => {
    if (!followsEnd) return;
    const note = () => {
      wasAtEnd.current = isAtEnd();
    };
    note();
    window.addEventListener('scroll', note, { passive: true });
    return () => window.removeEventListener('scroll', note);
  }, [followsEnd]);
  useEffect(() => {
    if (followsEnd && wasAtEnd.current && rows.length > 0)
      virtual.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [followsEnd, rows.length, virtual]);
  return (
    <ul ref={ref} className={styles.list} style={{ blockSize: virtual.getTotalSize() }} aria-label={label}>
      {virtual.getVirtualItems().map(({ index, key, start }) => (
        <li
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          aria-setsize={rows.length}
          aria-posinset={index + 1}
          className={styles.row}
          style={{ transform: `translateY(${start - scrollMargin}px)` }}
        >
          {rows[index] && children(rows[index], index)}
        </li>
      ))}
    </ul>
  );
}
