import type { AgentAnalyticsDay } from '@redpen/client';
import type { Point } from './chart-layout.ts';

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const labelOf = ({ date }: AgentAnalyticsDay): string => dayFormat.format(new Date(`${date}T00:00:00Z`));

/** A column for each day. */
export const pointsOf = (
  days: readonly AgentAnalyticsDay[],
  valuesOf: (day: AgentAnalyticsDay) => number[],
): Point[] => days.map((day) => ({ label: labelOf(day), values: valuesOf(day) }));

/** Runs by their result, in the order of `RUN_SERIES`. */
export const runPoints = (days: readonly AgentAnalyticsDay[]): Point[] =>
  pointsOf(days, ({ runs: { byStatus } }) => {
    const { passed, failed, partial, error, running, skipped } = byStatus;
    return [passed, failed, partial, error, running + skipped];
  });

export const RUN_SERIES = [
  { name: 'Passed', tone: 'good' },
  { name: 'With findings', tone: 'warn' },
  { name: 'Partial', tone: 'low' },
  { name: 'Failed', tone: 'bad' },
  { name: 'Running or skipped', tone: 'neutral' },
] as const;

/** New and fixed findings, in the order of `CHANGE_SERIES`. */
export const changePoints = (days: readonly AgentAnalyticsDay[]): Point[] =>
  pointsOf(days, ({ findings }) => [findings.new.total, findings.fixed.total]);

export const CHANGE_SERIES = [
  { name: 'New', tone: 'warn' },
  { name: 'Fixed', tone: 'good' },
] as const;
