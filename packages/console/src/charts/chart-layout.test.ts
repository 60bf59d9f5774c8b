import { expect, test } from 'vitest';
import { labelledIndexes, layOutBars, niceCeiling } from './chart-layout.ts';

test('the scale ends at a round number, in whole steps', () => {
  expect([0, 1, 2, 3, 5, 7, 11, 23, 99, 101, 4_200].map((value) => niceCeiling(value, 2))).toEqual([
    2, 2, 2, 4, 10, 10, 20, 40, 100, 200, 5_000,
  ]);
});

test('bars are stacked from the bottom, and a zero has no bar', () => {
  const { columns, max, ticks } = layOutBars(
    [
      { label: 'a', values: [2, 0, 2] },
      { label: 'b', values: [0, 0, 0] },
    ],
    { width: 100, height: 50 },
  );
  expect(max).toBe(4);
  expect(ticks.map(({ value, y }) => [value, y])).toEqual([
    [0, 50],
    [2, 25],
    [4, 0],
  ]);
  expect(columns[0]?.segments.map(({ series, y, height }) => [series, y, height])).toEqual([
    [0, 25, 25],
    [2, 0, 25],
  ]);
  expect(columns[1]).toEqual({ x: 50, width: 50, segments: [] });
});

test('labels are few, and the last day has one', () => {
  expect(labelledIndexes(30, 5)).toEqual([5, 11, 17, 23, 29]);
  expect(labelledIndexes(3, 5)).toEqual([0, 1, 2]);
  expect(labelledIndexes(0, 5)).toEqual([]);
});
