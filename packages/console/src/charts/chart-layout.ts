/** One column of a chart: its label, and one number for each series. */
export interface Point {
  label: string;
  values: readonly number[];
}

/** A rectangle in the units of the chart; `series` is its index. */
export interface Segment {
  series: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Column {
  /** The whole height of the chart at this place, for the pointer. */
  x: number;
  width: number;
  segments: Segment[];
}

export interface ChartLayout {
  columns: Column[];
  /** Lines across the chart, from the lowest: their value and place. */
  ticks: { value: number; y: number }[];
  max: number;
}

const STEPS = [1, 2, 2.5, 5, 10];

/** A round number of at least `value` that `parts` whole steps divide. */
export function niceCeiling(value: number, parts: number): number {
  const rough = Math.max(value, parts) / parts;
  const scale = 10 ** Math.floor(Math.log10(rough));
  const step = STEPS.map((one) => one * scale).find((one) => one >= rough && Number.isInteger(one));
  return (step ?? Math.ceil(rough)) * parts;
}

const GAP = 0.28;
const MAX_BAR = 36;

/** Places stacked bars in a box of `width` × `height`. The first series is at the bottom. */
export function layOutBars(
  points: readonly Point[],
  { width, height, parts = 2 }: { width: number; height: number; parts?: number },
): ChartLayout {
  const totals = points.map(({ values }) => values.reduce((sum, one) => sum + one, 0));
  const max = niceCeiling(Math.max(0, ...totals), parts);
  const step = points.length === 0 ? 0 : width / points.length;
  const bar = Math.min(MAX_BAR, step * (1 - GAP));
  const columns = points.map(({ values }, index): Column => {
    const x = index * step;
    let top = height;
    const segments = values.flatMap((value, series): Segment[] => {
      if (value <= 0) return [];
      const size = (value / max) * height;
      top -= size;
      return [{ series, x: x + (step - bar) / 2, y: top, width: bar, height: size }];
    });
    return { x, width: step, segments };
  });
  const ticks = Array.from({ length: parts + 1 }, (_, index) => ({
    value: (max / parts) * index,
    y: height - (height / parts) * index,
  }));
  return { columns, ticks, max };
}

/** Indexes of at most `most` labels, evenly spread, with the last among them. */
export function labelledIndexes(count: number, most: number): number[] {
  if (count === 0) return [];
  const every = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: count }, (_, index) => index).filter(
    (index) => (count - 1 - index) % every === 0,
  );
}
