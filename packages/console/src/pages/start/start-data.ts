import type { AgentAnalyticsDay, FindingRecord } from '@redpen/client';
import type { Point } from '../../charts/chart-layout.ts';
import { pointsOf } from '../../charts/day-points.ts';

export const RANGES = [14, 30, 90] as const;
export type Range = (typeof RANGES)[number];

/** The range of the address; 14 days if it says none. */
export const rangeOf = (search: Record<string, unknown>): Range =>
  RANGES.find((days) => days === Number(search.days)) ?? 14;

export const openPoints = (days: readonly AgentAnalyticsDay[]): Point[] =>
  pointsOf(days, ({ findings: { open } }) => {
    const { critical, high, medium, low, info } = open.bySeverity;
    return [critical, high, medium, low, info];
  });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export interface Totals {
  runs: number;
  open: number;
  grave: number;
  found: number;
  fixed: number;
  tokens: number;
  /** Undefined if no model has a price. */
  cost: number | undefined;
  /** Median over the days of the median of a day; undefined if no run ended. */
  medianMs: number | undefined;
}

export function totalsOf(days: readonly AgentAnalyticsDay[]): Totals {
  const open = days.at(-1)?.findings.open;
  const models = days.flatMap(({ tokens }) => tokens);
  const costs = models.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  const medians = days
    .flatMap(({ duration: { p50Ms } }) => (p50Ms === null ? [] : [p50Ms]))
    .sort((a, b) => a - b);
  return {
    runs: sum(days.map(({ runs }) => runs.total)),
    open: open?.total ?? 0,
    grave: (open?.bySeverity.critical ?? 0) + (open?.bySeverity.high ?? 0),
    found: sum(days.map(({ findings }) => findings.new.total)),
    fixed: sum(days.map(({ findings }) => findings.fixed.total)),
    tokens: sum(models.map(({ totalTokens }) => totalTokens)),
    cost: costs.length > 0 ? sum(costs) : undefined,
    medianMs: medians[Math.floor(medians.length / 2)],
  };
}

export interface PageLoad {
  pageUrl: string;
  findings: number;
  grave: number;
}

/** The pages with the most findings among these, the gravest first. */
export function worstPages(
  findings: readonly Pick<FindingRecord, 'pageUrl' | 'severity'>[],
  most: number,
): PageLoad[] {
  const loads = new Map<string, PageLoad>();
  for (const { pageUrl, severity } of findings) {
    const load = loads.get(pageUrl) ?? { pageUrl, findings: 0, grave: 0 };
    load.findings += 1;
    if (severity === 'critical' || severity === 'high') load.grave += 1;
    loads.set(pageUrl, load);
  }
  return [...loads.values()].sort((a, b) => b.grave - a.grave || b.findings - a.findings).slice(0, most);
}
