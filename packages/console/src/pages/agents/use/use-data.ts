import type { AgentAnalyticsDay } from '@redpen/client';

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
