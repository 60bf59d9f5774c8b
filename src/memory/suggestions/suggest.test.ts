import { expect, test } from 'vitest';
import { topicsToMeasure } from '../../../bench/memory-topics.ts';
import { makeWorld } from '../../../bench/memory-worlds.ts';
import { remembering } from '../../../test/memory/judged-history.ts';
import { testApp } from '../../../test/service/harness.ts';
import { DAY_MS } from '../../lib/day.ts';
import { rankIds } from '../ranking/rank.ts';
import { queryWords } from '../scoring/ranking-score.ts';
import { suggestDecision } from './suggest.ts';

test('places that are ranked at once from the caches give the same answer as each by itself', async () => {
  const script = {
    seed: 3,
    faith: 0.9,
    reviewers: 5,
    judgments: [8, 12],
    days: 300,
    afterChange: 0.45,
    withoutContent: 0.3,
  } as const;
  const { judgments, questions } = makeWorld(topicsToMeasure.slice(0, 12), script, Date.now() - DAY_MS);
  const places = ['acme', 'acme', 'globex'].map((organizationId, at) => ({
    organizationId,
    documentId: `page-${at}`,
  }));
  const w = await remembering(judgments.map((one, index) => ({ ...one, ...places[index % places.length] })));
  const { deps } = await testApp();
  const { embeddings } = deps.outside;
  const now = Date.now();
  const ask = (query: string, place: object, rank?: typeof rankIds) =>
    suggestDecision(
      { db: deps.db, embeddings, scorer: deps.scorer, now, scopeLimitMs: 60_000, ...(rank && { rank }) },
      w,
      { query, place },
    );
  const asked = questions.flatMap(({ query }) =>
    [{}, { organizationId: 'acme' }, places[0]!].map((place) => ({ query, place })),
  );
  const apart = [];
  for (const { query, place } of asked) apart.push(await ask(query, place, rankIds));
  expect(apart.filter(({ primary }) => primary !== null).length).toBeGreaterThan(5);

  // Every place has loaded the caches by now.
  const [{ query } = { query: '' }] = questions;
  const vector = { model: embeddings.current.model, vector: await embeddings.current.embedQuery(query) };
  const words = queryWords(query);
  const question = { apiKeyId: w.apiKeyId, places: [{}], filters: {}, words, vector, limit: 10 };
  expect(await deps.scorer.rankPlaces(question)).toMatchObject([{ inScope: judgments.length }]);

  const atOnce = [];
  for (const { query, place } of asked) atOnce.push(await ask(query, place));
  expect(atOnce).toEqual(apart);
});
