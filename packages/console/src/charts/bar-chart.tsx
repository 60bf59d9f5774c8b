import { ChartColumn, Table2 } from 'lucide-react';
import { type KeyboardEvent, useCallback, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { DataTable } from '../ui/table.tsx';
import { formatNumber } from '../ui/time.ts';
import styles from './chart.module.css';
import { labelledIndexes, layOutBars, type Point } from './chart-layout.ts';

export interface Series {
  name: string;
  tone: 'critical' | 'high' | 'medium' | 'low' | 'info' | 'good' | 'bad' | 'warn' | 'neutral';
}

const HEIGHT = 150;
const AXIS = 34;
const FOOT = 22;
const HEAD = 6;
const LABEL_WIDTH = 84;

/** The width of an element, also if another one takes its place. */
function useWidth() {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: HTMLDivElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}

interface ChartProps {
  /** What the chart shows, for screen readers. */
  label: string;
  /** From the bottom of the stack to its top. */
  series: readonly Series[];
  points: readonly Point[];
}

/** Stacked bars by day. The line above says the numbers of the day under the pointer; arrow keys move it; a table has all. */
export function BarChart({ label, series, points }: ChartProps) {
  const [ref, width] = useWidth();
  const [active, setActive] = useState<number>();
  const [isTable, setTable] = useState(false);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (active ?? (step > 0 ? -1 : points.length)) + step;
    setActive(Math.min(points.length - 1, Math.max(0, next)));
  };
  return (
    <div className={styles.chart}>
      <div className={styles.head}>
        <Legend series={series} point={active === undefined ? undefined : points[active]} />
        <IconButton
          size="small"
          label={`${isTable ? 'Show as chart' : 'Show as table'}: ${label}`}
          onPress={() => setTable(!isTable)}
        >
          {isTable ? <ChartColumn /> : <Table2 />}
        </IconButton>
      </div>
      {isTable ? (
        <NumberTable label={label} series={series} points={points} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: no element stands for a chart; the table beside it is one.
        <div
          ref={ref}
          className={styles.frame}
          // Keeps the room until the width is known, so that nothing below moves.
          style={{ minBlockSize: HEAD + HEIGHT + FOOT }}
          role="group"
          aria-label={`${label}. Arrow keys read it day by day.`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move through its days.
          tabIndex={0}
          onKeyDown={move}
          onBlur={() => setActive(undefined)}
          onPointerLeave={() => setActive(undefined)}
        >
          {width > 0 && (
            <Bars series={series} points={points} width={width} active={active} onActive={setActive} />
          )}
        </div>
      )}
    </div>
  );
}

function Legend({ series, point }: { series: readonly Series[]; point: Point | undefined }) {
  return (
    <div className={styles.legend} aria-live="polite">
      {point && <span className={styles.day}>{point.label}</span>}
      {series.map(({ name, tone }, index) => (
        <span key={name} className={styles.key}>
          <span className={`${styles.swatch} ${styles[tone]}`} aria-hidden />
          {name}
          {point && <b>{formatNumber(point.values[index] ?? 0)}</b>}
        </span>
      ))}
    </div>
  );
}

function Bars({
  series,
  points,
  width,
  active,
  onActive,
}: Pick<ChartProps, 'series' | 'points'> & {
  width: number;
  active: number | undefined;
  onActive: (index: number) => void;
}) {
  const { columns, ticks } = layOutBars(points, { width: width - AXIS, height: HEIGHT });
  const labelled = labelledIndexes(points.length, Math.max(1, Math.floor((width - AXIS) / LABEL_WIDTH)));
  return (
    <svg width={width} height={HEAD + HEIGHT + FOOT} aria-hidden="true">
      {ticks.map(({ value, y }) => (
        <g key={value}>
          <line className={styles.tick} x1={AXIS} x2={width} y1={HEAD + y} y2={HEAD + y} />
          <text className={styles.text} x={AXIS - 8} y={HEAD + y + 4} textAnchor="end">
            {formatNumber(value)}
          </text>
        </g>
      ))}
      {columns.map(({ x, width: columnWidth, segments }, index) => (
        <g key={points[index]?.label}>
          <rect
            className={styles.column}
            data-active={index === active || undefined}
            x={AXIS + x}
            y={0}
            width={columnWidth}
            height={HEAD + HEIGHT}
            onPointerEnter={() => onActive(index)}
          />
          {segments.map((segment) => (
            <rect
              key={segment.series}
              className={`${styles.bar} ${styles[series[segment.series]?.tone ?? 'neutral']}`}
              pointerEvents="none"
              x={AXIS + segment.x}
              y={HEAD + segment.y}
              width={segment.width}
              height={segment.height}
            />
          ))}
        </g>
      ))}
      {labelled.map((index) => {
        const column = columns[index];
        const isLast = index === points.length - 1;
        return (
          <text
            key={index}
            className={styles.text}
            x={AXIS + (column?.x ?? 0) + (isLast ? (column?.width ?? 0) : (column?.width ?? 0) / 2)}
            y={HEAD + HEIGHT + 16}
            textAnchor={isLast ? 'end' : 'middle'}
          >
            {points[index]?.label}
          </text>
        );
      })}
    </svg>
  );
}

function NumberTable({ label, series, points }: ChartProps) {
  const columns = [
    { id: 'day', header: 'Day', cell: (point: Point) => point.label, kind: 'main' as const },
    ...series.map(({ name }, index) => ({
      id: name,
      header: name,
      cell: (point: Point) => formatNumber(point.values[index] ?? 0),
      kind: 'end' as const,
    })),
  ];
  return (
    <DataTable label={label} columns={columns} rows={points.toReversed()} keyOf={({ label: day }) => day} />
  );
}
