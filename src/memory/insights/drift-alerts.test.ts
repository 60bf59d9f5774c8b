import { expect, test } from 'vitest';
import { DAY_MS } from '../../lib/day.ts';
import { detectDrift } from './drift-alerts.ts';
import type { DecidedJudgment, FoundPattern } from './find-patterns.ts';

const NOW = 20_000 * DAY_MS;
const LATER = { now: NOW, judgedSince: NOW - 100 * DAY_MS };

/** Decisions of two reviewers, one per day each, newest first. */
const decisions = (sides: string, from: number): DecidedJudgment[] =>
  [...sides].map((sign, index) => ({
    judgmentId: `of-${from}-${index}`,
    organizationId: 'acme',
    contentType: 'price',
    side: sign === '+' ? 'approve' : 'reject',
    reviewerId: index % 2 === 0 ? 'ana' : 'bo',
    createdAt: NOW - (from + Math.floor(index / 2)) * DAY_MS,
    knowsContent: true,
    vector: new Float32Array([1]),
  }));

const pattern = (members: DecidedJudgment[], side: FoundPattern['side']): FoundPattern => ({
  organizationId: 'acme',
  contentType: 'price',
  side,
  sourceCount: members.length,
  leadingCount: 0,
  uniqueReviewers: 2,
  confidence: 0,
  recordIds: [],
  mostlyBefore: 0,
  members,
});

test('a standard that reviewers no longer follow is reported with both rates', () => {
  const found = pattern([...decisions('+++++-++++', 1), ...decisions('-'.repeat(40), 60)], 'reject');
  expect(detectDrift('pat_1', found, LATER)).toMatchObject({
    organizationId: 'acme',
    alertType: 'standards_drift',
    severity: 'high',
    evidence: { metric: 'violationRate', baseline: 0, current: 0.9, ruleRef: 'pat_1' },
    dedupKey: 'standards_drift:violationRate:pat_1',
  });
});

test.each([
  ['holds as before', pattern([...decisions('--------+-', 1), ...decisions('-'.repeat(40), 60)], 'reject')],
  ['was broken by few', pattern([...decisions('+++', 1), ...decisions('-'.repeat(40), 60)], 'reject')],
  ['never was one', pattern([...decisions('+++++++++-', 1), ...decisions('+-'.repeat(20), 60)], 'split')],
])('a standard that %s is not reported', (_, found) => {
  expect(detectDrift('pat_1', found, LATER)).toBeUndefined();
});

test('an emerging standard is reported, unless it is of one reviewer, old, or the whole place is new', () => {
  expect(detectDrift('pat_2', pattern(decisions('---------', 1), 'reject'), LATER)).toMatchObject({
    alertType: 'emerging_standard',
    severity: 'low',
    evidence: { metric: 'enforcementRate', baseline: 0, current: 1 },
  });
  const alone = decisions('---------', 1).map((one) => ({ ...one, reviewerId: 'ana' }));
  expect(detectDrift('pat_2', pattern(alone, 'reject'), LATER)).toBeUndefined();
  const older = [...decisions('---------', 1), ...decisions('-', 90)];
  expect(detectDrift('pat_2', pattern(older, 'reject'), LATER)).toBeUndefined();
  const begun = { now: NOW, judgedSince: NOW - 20 * DAY_MS };
  expect(detectDrift('pat_2', pattern(decisions('---------', 1), 'reject'), begun)).toBeUndefined();
});
