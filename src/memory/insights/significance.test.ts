import { expect, test } from 'vitest';
import { compareShares, compareVolumes, wilsonLowerBound } from './significance.ts';

const close = (one: number, other: number) => expect(Math.abs(one - other)).toBeLessThan(1e-9);

/** Hits, total and lower bound. */
const BOUNDS: [number, number, number][] = [
  [0, 0, 0],
  [0, 5, 0],
  [3, 3, 0.4384939195509822],
  [8, 10, 0.49015684672072346],
  [50, 100, 0.40382982859014716],
  [999, 1000, 0.9943572970398397],
];

test.each(BOUNDS)('%i of %i have this lower bound: %d', (hits, total, bound) => {
  close(wilsonLowerBound(hits, total), bound);
});

/** Hits and totals before and after, both shares, deviations. */
const SHARES: [number[][], number[][], number, number, number][] = [
  [
    [
      [8, 10],
      [9, 10],
      [7, 10],
    ],
    [
      [1, 10],
      [2, 10],
    ],
    0.8,
    0.15,
    -4.517812304569953,
  ],
  [
    [
      [10, 10],
      [0, 10],
    ],
    [
      [5, 10],
      [6, 10],
      [0, 3],
    ],
    0.5,
    0.4782608695652174,
    -0.05097249600617776,
  ],
  [[], [[1, 1]], 0, 0, 0],
  [[[5, 5]], [[4, 4]], 1, 1, 0],
];

test.each(SHARES)('shares of %j and %j are compared', (before, after, was, is, deviations) => {
  const days = (some: number[][]) => some.map(([hits, total]) => ({ hits: hits!, total: total! }));
  const compared = compareShares(days(before), days(after));
  close(compared.before, was);
  close(compared.after, is);
  close(compared.deviations, deviations);
});

/** Daily counts before, counts of the week, expected count, total, deviations. */
const VOLUMES: [number[], number[], number, number, number][] = [
  [
    [
      10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10,
      10, 10,
    ],
    [10, 10, 10, 10, 10, 10, 10],
    70,
    70,
    0,
  ],
  [
    [
      10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10,
      10, 10,
    ],
    [0, 0, 0, 0, 0, 0, 0],
    70,
    0,
    -7.483314773547883,
  ],
  [
    [11, 12, 13, 11, 12, 0, 0, 12, 13, 11, 12, 13, 0, 0, 13, 11, 12, 13, 11, 0, 0, 11, 12, 13, 11, 12, 0, 0],
    [30, 31, 29, 28, 33, 0, 0],
    59.75000000000001,
    151,
    10.558662588061784,
  ],
  [
    [0, 7, 5, 17, 20, 14, 22, 21, 11, 15, 10, 19, 19, 10, 15, 11, 21, 22, 14, 20, 17, 5, 7, 0, 7, 5, 17, 20],
    [1, 2, 3, 4, 5, 6, 7],
    92.75,
    28,
    -2.2653446329996587,
  ],
  [[], [], 0, 0, 0],
  [
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [1, 1, 1, 1, 1, 1, 1],
    0,
    7,
    0,
  ],
  [[3, 3, 3, 3, 3, 3, 3], [3, 3, 3, 3, 3, 3, 3], 21, 21, 0],
];

test.each(VOLUMES)('the volume after %j is compared', (before, week, expected, total, deviations) => {
  const compared = compareVolumes(before, week);
  close(compared.expected, expected);
  close(compared.total, total);
  close(compared.deviations, deviations);
});
