import { mean, sum } from 'simple-statistics';

// simple-statistics has means and sums, but no interval of a proportion and no test that allows for overdispersion.
// @stdlib has the exact binomial interval alone, and brings some 180 packages; wilson-score is a package of its own for
// five lines. So the formulas are written out here.

/** Quantile of the normal distribution for 95 % confidence, two-sided. */
const Z_95 = 1.96;

/** Lower end of the Wilson score interval of a proportion at 95 % confidence. */
export function wilsonLowerBound(hits: number, total: number): number {
  if (total === 0) return 0;
  const share = hits / total;
  const z2 = Z_95 ** 2;
  const middle = share + z2 / (2 * total);
  const spread = Z_95 * Math.sqrt((share * (1 - share) + z2 / (4 * total)) / total);
  return Math.max(0, (middle - spread) / (1 + z2 / total));
}

/** Decisions of one reviewer on one day; they are correlated, so they count as one cluster. */
export interface ReviewerDay {
  hits: number;
  total: number;
}

const addUp = (days: readonly ReviewerDay[]): ReviewerDay => ({
  hits: sum(days.map(({ hits }) => hits)),
  total: sum(days.map(({ total }) => total)),
});

/** Pearson's chi-squared statistic of clusters against their common share. */
function chiSquared(days: readonly ReviewerDay[]): number {
  const { hits, total } = addUp(days);
  // Smoothed by half a decision on either side: one exception among many equal decisions is no overdispersion.
  const share = (hits + 0.5) / (total + 1);
  return sum(days.map((day) => (day.hits - day.total * share) ** 2 / (day.total * share * (1 - share))));
}

/**
 * Two-proportion z-test, corrected for overdispersion: clusters that scatter more than chance explains widen the
 * standard error. Returns both shares and the z-score of their difference.
 */
export function compareShares(
  before: readonly ReviewerDay[],
  after: readonly ReviewerDay[],
): { before: number; after: number; deviations: number } {
  const [old, fresh] = [addUp(before), addUp(after)];
  if (old.total === 0 || fresh.total === 0) return { before: 0, after: 0, deviations: 0 };
  const pooled = (old.hits + fresh.hits) / (old.total + fresh.total);
  const degreesOfFreedom = before.length + after.length - 2;
  const dispersion =
    degreesOfFreedom > 0 ? Math.max(1, (chiSquared(before) + chiSquared(after)) / degreesOfFreedom) : 1;
  const standardError = Math.sqrt(pooled * (1 - pooled) * (1 / old.total + 1 / fresh.total) * dispersion);
  const [was, is] = [old.hits / old.total, fresh.hits / fresh.total];
  return { before: was, after: is, deviations: standardError === 0 ? 0 : (is - was) / standardError };
}

/** Variance of counts about their expectation, as a multiple of the variance of a Poisson distribution. */
const dispersionOf = (
  counts: readonly number[],
  expected: readonly number[],
  degreesOfFreedom: number,
): number => {
  const squares = counts.map((count, index) => (count - expected[index]!) ** 2);
  return sum(squares) / Math.max(1, degreesOfFreedom) / mean([...expected]);
};

/**
 * Compares the total of a week with the weeks before by a Poisson test that is corrected for overdispersion, both of
 * days against the same day of other weeks and of weeks against each other. Returns the z-score as `deviations`, 0
 * with less than two weeks to compare with.
 */
export function compareVolumes(
  daysBefore: readonly number[],
  week: readonly number[],
): { expected: number; total: number; deviations: number } {
  const total = sum([...week]);
  const weeks = Math.floor(daysBefore.length / 7);
  const expected = daysBefore.length === 0 ? 0 : mean([...daysBefore]) * 7;
  if (weeks < 2 || expected === 0) return { expected, total, deviations: 0 };
  const usual = Array.from({ length: 7 }, (_, day) =>
    mean(daysBefore.filter((_, index) => index % 7 === day)),
  );
  const byDay = dispersionOf(
    daysBefore,
    daysBefore.map((_, index) => usual[index % 7]!),
    daysBefore.length - 7,
  );
  const totals = Array.from({ length: weeks }, (_, index) => sum(daysBefore.slice(index * 7, index * 7 + 7)));
  const byWeek = dispersionOf(
    totals,
    totals.map(() => expected),
    weeks - 1,
  );
  const standardError = Math.sqrt(Math.max(1, byDay, byWeek) * expected * (1 + 1 / weeks));
  return { expected, total, deviations: (total - expected) / standardError };
}
