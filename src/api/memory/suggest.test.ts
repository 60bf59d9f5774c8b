import { expect, test } from 'vitest';
import { topicsToMeasure } from '../../../bench/memory-topics.ts';
import { makeWorld, scoresOf } from '../../../bench/memory-worlds.ts';
import { addKnownFile } from '../../../test/every-operation/known-file.ts';
import { remembering } from '../../../test/memory/judged-history.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { DAY_MS } from '../../lib/day.ts';
import { rankIds } from '../../memory/ranking/rank.ts';
import { suggestDecision } from '../../memory/suggestions/suggest.ts';

const SUGGEST = '/v2/memory/suggest';
const query = 'The headline of the page is in title case.';

const judged = (decision: string, reviewer: string, more: object = {}) => ({
  decision,
  reasoning: `${reviewer} thinks of capitals so.`,
  content: 'The headline uses title case.',
  actionUser: { userId: reviewer, name: reviewer.toUpperCase() },
  ...more,
});

async function suggest(w: TestWorkspace, data: object = {}) {
  const { status, body } = await w.post(SUGGEST, { query, ...data });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(Object.keys(body)).toEqual(['result']);
  return body.result;
}

test('the narrowest place with enough precedents answers and quotes them, with caveats about wider places', async () => {
  const acme = { organizationId: 'acme' };
  const home = { ...acme, documentId: 'home' };
  const w = await remembering([
    judged('reject', 'ana', { ...home, id: 'one', annotationId: 'thread' }),
    judged('disagree', 'bo', { ...home, id: 'two' }),
    judged('approve', 'cy', { ...acme, documentId: 'other' }),
    judged('approve', 'di', { ...acme, documentId: 'other' }),
    judged('endorse', 'ed', { ...acme, documentId: 'other' }),
    judged('approve', 'flo', { organizationId: 'umbrella' }),
  ]);
  const { primary, conflict } = await suggest(w, { orgId: 'acme', docId: 'home' });
  expect(conflict).toBeNull();
  expect(primary).toEqual({
    recommendation: 'reject',
    confidence: expect.any(Number),
    basedOn: 2,
    scope: 'document',
    scopeLabel: 'This document',
    topReasons: expect.arrayContaining(['ana thinks of capitals so.', 'bo thinks of capitals so.']),
    uniqueReviewers: 2,
    caveats: [
      'This organization: 3 of 3 further similar decisions went the other way.',
      'All content: 4 of 4 further similar decisions went the other way.',
    ],
    precedents: expect.any(Array),
  });
  expect(primary.precedents.find(({ recordId }: { recordId: string }) => recordId === 'one')).toEqual({
    recordId: 'one',
    decision: 'reject',
    similarity: expect.any(Number),
    actionUser: { userId: 'ana', name: 'ANA' },
    agent: null,
    createdAt: expect.any(Number),
    origin: 'import',
    ...home,
    annotationId: 'thread',
  });
  expect(primary.confidence).toBeGreaterThan(0.7);

  const wide = await suggest(w, acme);
  expect(wide.primary).toMatchObject({ recommendation: 'approve', basedOn: 3, scope: 'organization' });
  expect(wide.conflict).toMatchObject({ recommendation: 'reject', basedOn: 2, uniqueReviewers: 2 });
  expect(wide.conflict.caveats).toHaveLength(1);
  expect((await suggest(w, { organizationId: 'umbrella' })).primary).toMatchObject({ scope: 'apiKey' });

  await w.post('/v2/memory/judgments/delete', { recordIds: ['one'] });
  expect((await suggest(w, home)).primary).toMatchObject({ scope: 'organization' });
  const nothing = { primary: null, conflict: null };
  expect(await suggest(w, { query: 'Opening hours of the harbour ferry' })).toEqual(nothing);
});

test('a document requires its organization, under both names', async () => {
  const w = await newWorkspace();
  for (const data of [{ documentId: 'home' }, { docId: 'home' }]) {
    const { status, body } = await w.post(SUGGEST, { query, ...data });
    expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  }
});

test('a place that is too slow is left out, with a caveat', async () => {
  const w = await remembering([judged('approve', 'ana'), judged('approve', 'bo')]);
  const { deps } = await testApp();
  const { embeddings } = deps.outside;
  const ask = (rank: typeof rankIds, scopeLimitMs: number) =>
    suggestDecision({ db: deps.db, embeddings, scorer: deps.scorer, rank, scopeLimitMs }, w, {
      query,
      place: { organizationId: 'acme' },
    });
  // Ranks once without a relevant limit, so that fast places take no time under the short limit.
  const ranked = new Map<string, ReturnType<typeof rankIds>>();
  const keyOf = ({ place, kind }: Parameters<typeof rankIds>[2]) => JSON.stringify([place, kind]);
  await ask((recall, scope, request) => {
    const ranking = rankIds(recall, scope, request);
    ranked.set(keyOf(request), ranking);
    return ranking;
  }, 120_000);
  const slowIn =
    (slow: (organizationId: string | undefined) => boolean): typeof rankIds =>
    (_recall, _scope, request) =>
      slow(request.place.organizationId) ? new Promise(() => {}) : ranked.get(keyOf(request))!;
  const { primary } = await ask(
    slowIn((organizationId) => organizationId === 'acme'),
    500,
  );
  expect(primary).toMatchObject({
    scope: 'apiKey',
    caveats: ['Partial data: This organization could not be searched in time.'],
  });
  await expect(
    ask(
      slowIn(() => true),
      100,
    ),
  ).rejects.toMatchObject({ status: 'DEADLINE_EXCEEDED' });
});

test('new knowledge is a caveat', async () => {
  const w = await remembering([judged('approve', 'ana'), judged('approve', 'bo')]);
  await addKnownFile(w, 'style guide');
  expect((await suggest(w)).primary.caveats).toEqual([
    'Knowledge source updated in the last 48 hours: “style guide.md”.',
  ]);
});

test('scripted reviewers who agree, are split, change their minds or do not decide are distinguished', async () => {
  const script = {
    seed: 2,
    faith: 0.95,
    reviewers: 5,
    judgments: [8, 12],
    days: 300,
    afterChange: 0.45,
    withoutContent: 0.3,
  } as const;
  const { judgments, questions } = makeWorld(topicsToMeasure.slice(0, 12), script, Date.now() - DAY_MS);
  const w = await remembering(judgments);
  const answers = [];
  for (const question of questions) {
    const { primary, conflict } = await suggest(w, { query: question.query });
    answers.push({
      question,
      recommended: primary?.recommendation ?? null,
      confidence: primary?.confidence ?? 0,
      conflict: conflict !== null,
    });
  }
  const scores = scoresOf(answers);
  expect(scores['right, agreeing']).toBe(1);
  expect(scores['right, drifting']).toBeGreaterThan(0.7);
  expect(scores['error, to the next decision']).toBeLessThan(0.1);
  expect(scores['conflict, of split']).toBeGreaterThan(0.6);
  expect(scores['conflict is split or drift']).toBeGreaterThan(0.7);
  expect(scores['null, of silent']).toBeGreaterThan(0.6);
});
