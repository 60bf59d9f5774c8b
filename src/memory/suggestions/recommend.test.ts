import { expect, test } from 'vitest';
import { dice } from '../../../bench/memory-worlds.ts';
import { DAY_MS } from '../../lib/day.ts';
import { estimateApproval } from './approval-estimate.ts';
import { recommend } from './recommend.ts';
import { type PrecedentCandidate, selectPrecedents } from './select-precedents.ts';

const NOW = Date.UTC(2026, 5, 1);

/** Judgments on one subject as `+` and `-`, oldest first, ten days apart, each by another reviewer. */
const judged = (signs: string, differences: Partial<PrecedentCandidate> = {}): PrecedentCandidate[] =>
  [...signs].map((sign, index) => ({
    judgmentId: `j${index}`,
    decision: sign === '+' ? 'approve' : 'reject',
    reasoning: `Reason ${index}`,
    content: null,
    organizationId: 'acme',
    documentId: 'home',
    annotationId: null,
    reviewerId: `r${index}`,
    judgeType: 'human',
    actionUser: { userId: `r${index}`, name: `R${index}` },
    agent: null,
    confidence: null,
    createdAt: NOW - (signs.length - index) * 10 * DAY_MS,
    origin: 'import',
    similarity: 0.8,
    linkedSimilarity: 0.8,
    ...differences,
  }));

const weigh = (candidates: PrecedentCandidate[]) =>
  recommend(selectPrecedents(candidates, { inScope: 50, now: NOW }), 'organization', NOW);

test('two precedents of a side make a recommendation, and two of each side a conflict', () => {
  expect(weigh(judged('+'))).toEqual({ primary: null, conflict: null });
  expect(weigh(judged('+-'))).toEqual({ primary: null, conflict: null });
  const clear = weigh(judged('+++-'));
  expect(clear.conflict).toBeNull();
  expect(clear.primary).toMatchObject({
    recommendation: 'approve',
    basedOn: 3,
    uniqueReviewers: 3,
    scope: 'organization',
    scopeLabel: 'This organization',
    topReasons: ['Reason 2', 'Reason 1', 'Reason 0'],
    caveats: [],
  });
  expect(clear.primary!.precedents.map(({ recordId }) => recordId)).toEqual(['j2', 'j1', 'j0']);

  const split = weigh(judged('+-+-+'));
  expect(split.primary).toMatchObject({ recommendation: 'approve', basedOn: 3 });
  expect(split.primary!.caveats).toEqual(['Conflict: 2 of 5 similar decisions went the other way.']);
  expect(split.conflict).toMatchObject({ recommendation: 'reject', basedOn: 2, uniqueReviewers: 2 });
  expect(split.conflict!.caveats).toHaveLength(1);
  expect(split.primary!.confidence + split.conflict!.confidence).toBeCloseTo(1);
});

test('agreement and disagreement take a side, and comments take none', () => {
  const words = ['agree', 'endorse', 'comment', 'resolve', 'in_progress', 'disagree'];
  const candidates = judged('++++++').map((one, index) => ({ ...one, decision: words[index]! }));
  expect(weigh(candidates).primary).toMatchObject({ recommendation: 'approve', basedOn: 2 });
});

test('judgments about other things, or under prompt injection, are not precedents', () => {
  expect(weigh(judged('+++', { linkedSimilarity: 0.3 })).primary).toBeNull();
  expect(weigh(judged('+++', { agent: { injected: true } })).primary).toBeNull();
  const doubtful = weigh(judged('+++', { linkedSimilarity: 0.42 })).primary!;
  expect(doubtful.confidence).toBeLessThan(weigh(judged('+++')).primary!.confidence - 0.1);
});

test('later decisions prevail after a change of opinion', () => {
  const { primary, conflict } = weigh(
    judged('-------++++').map((one, index) => ({ ...one, reviewerId: `r${index % 4}` })),
  );
  expect(primary).toMatchObject({ recommendation: 'approve', basedOn: 4 });
  expect(primary!.caveats[1]).toBe(
    'Drift: recent decisions differ from older ones. Since 2026-04-22, 4 of 4 approve; before, 0 of 7.',
  );
  expect(conflict).toMatchObject({ recommendation: 'reject', basedOn: 7 });
  expect(weigh(judged('+-+-+-+-')).primary!.caveats.join()).not.toContain('Drift');
  // No reviewer changed their mind if others decided later or all decided at once.
  expect(weigh(judged('--++')).primary!.caveats.join()).not.toContain('Drift');
  const atOnce = judged('----++++', { createdAt: NOW });
  expect(weigh(atOnce).primary!.confidence).toBeCloseTo(0.5);
});

test('one reviewer counts once per annotation, by the decision, and cannot outvote others by repetition', () => {
  const thread = { annotationId: 'thread', reviewerId: 'ana' };
  const [word, decision] = judged('-+', thread);
  expect(
    weigh([{ ...word!, decision: 'disagree' }, decision!, ...judged('x+')].slice(0, 2)).primary,
  ).toBeNull();
  const others = judged('++');
  const loud = judged('-'.repeat(20), { reviewerId: 'ana', reasoning: 'No.' }).map((one, index) => ({
    ...one,
    judgmentId: `loud${index}`,
    createdAt: NOW - 15 * DAY_MS,
  }));
  expect(weigh([...others, ...loud]).primary!.recommendation).toBe('approve');
  const alone = weigh(loud).primary!;
  expect(alone).toMatchObject({ recommendation: 'reject', basedOn: 20, uniqueReviewers: 1 });
  expect(alone.confidence).toBeLessThan(weigh(judged('--')).primary!.confidence);
  expect(alone.caveats).toEqual(['Few reviewers: all of these decisions are of one reviewer.']);
});

test('old support gets a caveat, and agents weigh less than people', () => {
  const old = judged('++++').map((one, index) => ({
    ...one,
    createdAt: NOW - (index < 3 ? 300 : 3) * DAY_MS,
  }));
  expect(weigh(old).primary!.caveats).toEqual([
    'Stale pattern: >70% of supporting data is older than 6 months',
  ]);
  expect(weigh(old.slice(1)).primary!.caveats).toEqual([]);
  const agents = weigh(judged('+++', { judgeType: 'agent' })).primary!;
  expect(agents.confidence).toBeLessThan(weigh(judged('+++')).primary!.confidence);
  expect(agents.caveats).toEqual(['No person has decided so: these are decisions of agents.']);
});

test('estimates are calibrated, also for shares that they were not fitted to', () => {
  const roll = dice(11);
  const estimates: { sure: number; right: number }[] = [];
  for (let round = 0; round < 4_000; round++) {
    // Mostly settled one way, sometimes open, sometimes changed once.
    const share = () => (roll() < 0.7 ? (roll() < 0.5 ? 0.93 : 0.07) : roll());
    const [before, after] = [share(), share()];
    const length = 2 + Math.floor(roll() * 12);
    const changeAt = roll() < 0.2 ? Math.floor(roll() * length) : 0;
    const votes = Array.from({ length }, (_, at) => ({
      side: roll() < (at < changeAt ? before : after) ? ('approve' as const) : ('reject' as const),
      at: at * DAY_MS,
      weight: 1,
      by: `r${Math.floor(roll() * 4)}`,
    }));
    const { approve } = estimateApproval(votes);
    estimates.push({ sure: Math.max(approve, 1 - approve), right: approve >= 0.5 ? after : 1 - after });
  }
  const bins = Map.groupBy(estimates, ({ sure }) => Math.min(9, Math.floor(sure * 10)));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const error = [...bins.values()].reduce(
    (sum, bin) =>
      sum +
      (Math.abs(mean(bin.map(({ sure }) => sure)) - mean(bin.map(({ right }) => right))) * bin.length) /
        estimates.length,
    0,
  );
  expect(error).toBeLessThan(0.06);
});
