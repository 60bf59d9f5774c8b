import type { ReactNode } from 'react';
import styles from './table.module.css';

export interface Column<T> {
  id: string;
  header: string;
  /** Hides the header from view, for columns of buttons. */
  isHeaderHidden?: boolean;
  cell(row: T): ReactNode;
  /** `main` takes the room, `tight` as little as possible, `end` is for numbers. */
  kind?: 'main' | 'tight' | 'end';
  /** Repeats the header before each value on narrow screens, which have no row of headers. */
  isNamedWhenNarrow?: boolean;
}

/** A table; on narrow screens each row becomes a block. */
export function DataTable<T>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}) {
  return (
    // The caption alone names the table; the box scrolls if a column does not fit.
    <div className={styles.wrap}>
      <table className={styles.table}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ id, header, isHeaderHidden, kind }) => (
              <th key={id} scope="col" className={kind && styles[kind]}>
                {isHeaderHidden ? <span className="visually-hidden">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ id, header, isHeaderHidden, cell, kind, isNamedWhenNarrow }, index) => (
                <td
                  key={id}
                  className={[
                    kind && styles[kind],
                    isHeaderHidden && index === columns.length - 1 && styles.last,
                  ]
                    .filter(Boolean)
                    .join(' ')}
                >
                  {(isNamedWhenNarrow || kind === 'end') && (
                    <span className={styles.name} aria-hidden>
                      {header}{' '}
                    </span>
                  )}
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
