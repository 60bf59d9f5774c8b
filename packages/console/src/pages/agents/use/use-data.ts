import type { AgentAnalyticsDay } from '@redpen/client';
import type { Point } from '../../../charts/chart-layout.ts';

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const labelOf = ({ date }: { date: string }): string => dayFormat.format(new Date(`${date}T00:00:00Z`));

export const runPoints = (days: readonly AgentAnalyticsDay[]): Point[] =>
  days.map((day) => {
    const { passed, failed, partial, error, running, skipped } = day.runs.byStatus;
    return { label: labelOf(day), values: [passed, failed, partial, error, running + skipped] };
  });

export const changePoints = (days: readonly AgentAnalyticsDay[]): Point[] =>
  days.map((day) => ({
    label: labelOf(day),
    values: [day.findings.new.total, day.findings.fixed.total],
  }));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export const totalsOf = (days: readonly AgentAnalyticsDay[]) => ({
  runs: sum(days.map(({ runs }) => runs.total)),
  open: days.at(-1)?.findings.open.total ?? 0,
  tokens: sum(days.flatMap(({ tokens }) => tokens.map(({ totalTokens }) => totalTokens))),
});

/** The share of accepted findings among the decided ones, in percent; undefined if none is decided. */
export const shareOf = ({
  accepted,
  rejected,
}: {
  accepted: number;
  rejected: number;
}): number | undefined =>
  accepted + rejected === 0 ? undefined : Math.round((100 * accepted) / (accepted + rejected));
