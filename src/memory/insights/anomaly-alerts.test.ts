import { expect, test } from 'vitest';
import type { DailyTally } from '../../store/memory/insight-queries.ts';
import { findAnomalies } from './anomaly-alerts.ts';

/** Deterministic pseudo-random numbers between 0 and 1. */
function chance(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

interface Making {
  days?: number;
  /** The mean number of decisions of each of four reviewers per working day. */
  daily?: (daysAgo: number) => number;
  approval?: (daysAgo: number) => number;
  /** The probability that a reviewer decides alike for a whole day. */
  inOneGo?: number;
}

function history(
  seed: number,
  { days = 60, daily = () => 4, approval = () => 0.7, inOneGo = 0 }: Making = {},
) {
  const next = chance(seed);
  const tallies: DailyTally[] = [];
  for (let daysAgo = 0; daysAgo < days; daysAgo++) {
    if (daysAgo % 7 === 5 || daysAgo % 7 === 6) continue;
    for (const reviewerId of ['ana', 'bo', 'cy', 'di']) {
      const total = Math.floor(next() * 2 * daily(daysAgo) + 0.5);
      const whole = next() < inOneGo ? next() < approval(daysAgo) : undefined;
      const approved = Array.from({ length: total }, () => whole ?? next() < approval(daysAgo)).filter(
        Boolean,
      );
      tallies.push({
        daysAgo,
        contentType: next() < 0.5 ? 'text' : 'link',
        reviewerId,
        approved: approved.length,
        rejected: total - approved.length,
        total,
      });
    }
  }
  return tallies;
}

const countAlerts = (making: Making | undefined, seeds = 100): Map<string, number> => {
  const counts = new Map<string, number>();
  for (let seed = 1; seed <= seeds; seed++) {
    for (const { dedupKey } of findAnomalies(history(seed, making))) {
      counts.set(dedupKey, (counts.get(dedupKey) ?? 0) + 1);
    }
  }
  return counts;
};

test.each<[string, Making]>([
  ['nothing changes', {}],
  ['there are few decisions', { daily: () => 1 }],
  ['nearly everything is approved', { approval: () => 0.97 }],
  ['reviewers decide whole days in one go', { inOneGo: 0.7 }],
  ['the rate drops a little', { approval: (daysAgo) => (daysAgo < 7 ? 0.62 : 0.7) }],
])('while %s, there are hardly any alerts', (_, making) => {
  const all = [...countAlerts(making).values()].reduce((sum, count) => sum + count, 0);
  expect(all).toBeLessThanOrEqual(3);
});

test('a large change of the approval rate is nearly always found, overall and by content type', () => {
  const dropped = countAlerts({ approval: (daysAgo) => (daysAgo < 7 ? 0.3 : 0.75) });
  expect(dropped.get('anomaly:approvalRate')).toBeGreaterThan(96);
  const risen = countAlerts({ approval: (daysAgo) => (daysAgo < 7 ? 0.85 : 0.4) });
  expect(risen.get('anomaly:approvalRate')).toBeGreaterThan(96);
});

test('a stop or a surge of reviews is found', () => {
  const stopped = countAlerts({ daily: (daysAgo) => (daysAgo < 7 ? 0 : 8) });
  expect(stopped.get('anomaly:volume')).toBeGreaterThan(96);
  const piled = countAlerts({ daily: (daysAgo) => (daysAgo < 7 ? 30 : 6) });
  expect(piled.get('anomaly:volume')).toBeGreaterThan(96);
});

test('without judgments of four weeks ago there is nothing to compare with', () => {
  expect(findAnomalies(history(1, { days: 20, approval: (daysAgo) => (daysAgo < 7 ? 0 : 1) }))).toEqual([]);
});

test('an anomaly of one content type names it, and an overall anomaly is reported once', () => {
  const all = findAnomalies(history(5, { approval: (daysAgo) => (daysAgo < 7 ? 0.2 : 0.9) }));
  expect(all.map(({ dedupKey }) => dedupKey)).toEqual(['anomaly:approvalRate']);
  const before = history(6, { daily: () => 12, approval: () => 0.9 });
  const links = before.map((one) =>
    one.contentType === 'link' && one.daysAgo < 7 ? { ...one, approved: 0, rejected: one.total } : one,
  );
  // There is so much text that the overall rate hardly changes.
  const mostlyText = links.map((one) =>
    one.contentType === 'text' ? { ...one, approved: one.total * 9, rejected: 0, total: one.total * 9 } : one,
  );
  expect(findAnomalies(mostlyText).map(({ dedupKey }) => dedupKey)).toEqual(['anomaly:approvalRate:link']);
});

test('an anomaly states baseline and current value, in numbers and in words', () => {
  const [found] = findAnomalies(history(3, { approval: (daysAgo) => (daysAgo < 7 ? 0.2 : 0.9) }));
  expect(found).toMatchObject({
    alertType: 'anomaly',
    severity: 'high',
    title: 'Approval rate dropped significantly',
    evidence: { metric: 'approvalRate', window: '7 days against the 30 days before', ruleRef: null },
    dedupKey: 'anomaly:approvalRate',
  });
  expect(found!.evidence.baseline).toBeCloseTo(0.9, 1);
  expect(found!.evidence.current).toBeCloseTo(0.2, 0);
  expect(found!.description).toMatch(
    /^Reviewers approved \d+% of \d+ decisions in the last 7 days, against \d+% of/,
  );
});
