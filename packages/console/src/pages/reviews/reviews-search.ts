export const STATUSES = ['all', 'running', 'ended'] as const;
export const PERIODS = ['any', 'day', 'week', 'month'] as const;

export type StatusFilter = (typeof STATUSES)[number];
export type Period = (typeof PERIODS)[number];

export interface ReviewsSearch {
  status: StatusFilter;
  period: Period;
  /** True if the dialog for a new review is open. */
  isNew: boolean;
}

const DAY_MS = 86_400_000;
const DAYS: Record<Period, number | undefined> = { any: undefined, day: 1, week: 7, month: 30 };

export const readReviewsSearch = (search: Record<string, unknown>): ReviewsSearch => ({
  status: STATUSES.find((one) => one === search.status) ?? 'all',
  period: PERIODS.find((one) => one === search.period) ?? 'any',
  isNew: search.new === 1 || search.new === '1' || search.new === true,
});

export const writeReviewsSearch = ({ status, period, isNew }: ReviewsSearch) => ({
  status: status === 'all' ? undefined : status,
  period: period === 'any' ? undefined : period,
  new: isNew ? 1 : undefined,
});

/** The data of reviews/list for these filters. The time is rounded, so that the same list keeps its name. */
export function listData({ status, period }: ReviewsSearch, now: number) {
  const days = DAYS[period];
  return {
    ...(status !== 'all' && { status }),
    ...(days !== undefined && { startedAfter: Math.floor(now / 60_000) * 60_000 - days * DAY_MS }),
    pageSize: 30,
  };
}
