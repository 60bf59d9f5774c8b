/** Deviations of a normal distribution that 95 % lie within. */
const Z_95 = 1.96;

/** The lower end of the interval of Wilson in which a share lies, of `hits` in `total`, with 95 % confidence. */
export function lowerBound(hits: number, total: number): number {
  if (total === 0) return 0;
  const share = hits / total;
  const z2 = Z_95 ** 2;
  const middle = share + z2 / (2 * total);
  const spread = Z_95 * Math.sqrt((share * (1 - share) + z2 / (4 * total)) / total);
  return Math.max(0, (middle - spread) / (1 + z2 / total));
}

/** Decisions of one person on one day: they are seldom made each on its own. */
export interface Cell {
  hits: number;
  total: number;
}

const sum = (cells: readonly Cell[]): Cell =>
  cells.reduce((all, { hits, total }) => ({ hits: all.hits + hits, total: all.total + total }), {
    hits: 0,
    total: 0,
  });

/** How much the shares of cells scatter about that of all, in units of what chance alone would make of them. */
function scatter(cells: readonly Cell[]): number {
  const { hits, total } = sum(cells);
  // Half a decision on either side, so that one exception among many that agree does not count as endless scatter.
  const share = (hits + 0.5) / (total + 1);
  return cells.reduce(
    (all, cell) => all + (cell.hits - cell.total * share) ** 2 / (cell.total * share * (1 - share)),
    0,
  );
}

/**
 * By how many deviations the shares of two groups differ, and which shares they are. Where decisions within a group
 * go together more than chance would have it, they count for fewer.
 */
export function compareShares(
  before: readonly Cell[],
  after: readonly Cell[],
): { before: number; after: number; deviations: number } {
  const [old, fresh] = [sum(before), sum(after)];
  if (old.total === 0 || fresh.total === 0) return { before: 0, after: 0, deviations: 0 };
  const pooled = (old.hits + fresh.hits) / (old.total + fresh.total);
  const freedom = before.length + after.length - 2;
  const excess = freedom > 0 ? Math.max(1, (scatter(before) + scatter(after)) / freedom) : 1;
  const spread = Math.sqrt(pooled * (1 - pooled) * (1 / old.total + 1 / fresh.total) * excess);
  const [was, is] = [old.hits / old.total, fresh.hits / fresh.total];
  return { before: was, after: is, deviations: spread === 0 ? 0 : (is - was) / spread };
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((all, value) => all + value, 0) / Math.max(1, values.length);

/** How much values scatter about what was expected of each, in units of what chance alone would make of them. */
const excessOf = (values: readonly number[], expected: readonly number[], freedom: number): number => {
  const scattered = values.reduce((all, value, index) => all + (value - expected[index]!) ** 2, 0);
  return scattered / Math.max(1, freedom) / meanOf(expected);
};

/**
 * By how many deviations the total of a week differs from what the weeks before make one expect. Days of the week are
 * compared with their like; weeks that differ much among themselves make one expect the next to differ, too.
 */
export function compareVolumes(
  daysBefore: readonly number[],
  week: readonly number[],
): { expected: number; total: number; deviations: number } {
  const total = week.reduce((all, many) => all + many, 0);
  const weeks = Math.floor(daysBefore.length / 7);
  const expected = meanOf(daysBefore) * 7;
  if (weeks < 2 || expected === 0) return { expected, total, deviations: 0 };
  const usual = Array.from({ length: 7 }, (_, day) =>
    meanOf(daysBefore.filter((_, index) => index % 7 === day)),
  );
  const byDay = excessOf(
    daysBefore,
    daysBefore.map((_, index) => usual[index % 7]!),
    daysBefore.length - 7,
  );
  const totals = Array.from({ length: weeks }, (_, index) =>
    daysBefore.slice(index * 7, index * 7 + 7).reduce((all, many) => all + many, 0),
  );
  const byWeek = excessOf(
    totals,
    totals.map(() => expected),
    weeks - 1,
  );
  const spread = Math.sqrt(Math.max(1, byDay, byWeek) * expected * (1 + 1 / weeks));
  return { expected, total, deviations: (total - expected) / spread };
}
