import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../test/service/harness.ts';
import { type Embedder, EmbedFailure } from '../outside/embed/vectors/embedder.ts';
import { searchJudgments } from './search-judgments.ts';

test('a provider that refuses is reported as such, and is not called without a comparison of meaning', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const refuse = async () => {
    throw new EmbedFailure('rate-limited', 'Slow down.', { retryAfterMs: 1_500 });
  };
  const current: Embedder = { model: 'far', embed: refuse, embedQuery: refuse };
  const recall = {
    db: deps.db,
    scorer: deps.scorer,
    embeddings: { current, of: () => undefined, close: async () => {} },
  };
  const request = { query: 'contrast', kind: 'review', place: {}, filters: {}, limit: 10 } as const;
  await expect(searchJudgments(recall, w, { ...request, byTime: false })).rejects.toMatchObject({
    status: 'RESOURCE_EXHAUSTED',
    retryAfterSeconds: 2,
  });
  expect(await searchJudgments(recall, w, { ...request, byTime: true })).toEqual({
    results: [],
    totalInScope: 0,
  });
});
