import { expect, test } from 'vitest';
import { addKnownFile } from '../../../test/every-operation/known-file.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { listSearchedSources } from '../knowledge/search-knowledge.ts';
import { writeVectors } from './judgment-embedding.ts';
import { listJudgments } from './judgments.ts';
import { directionOf } from './stored-vectors.ts';

test('vectors of one model that differ in length, as after a change by the provider, are not compared', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const judgments = ['one', 'two', 'three'].map((id) => ({
    id,
    decision: 'reject',
    reasoning: 'No.',
    actionUser: { userId: 'ana' },
  }));
  await w.post('/v2/memory/judgments/add', { judgments });
  const rows = await listJudgments(deps.db, w, {}, {}, 3, 'asc');
  const items = rows.map(({ judgmentId, recordedAt }) => ({
    apiKeyId: w.apiKeyId,
    judgmentId,
    recordedAt,
    review: ['no'],
    content: undefined,
    vectors: [
      {
        kind: 'review' as const,
        windowIndex: 0,
        embedding: directionOf(judgmentId === 'three' ? [1, 0, 0] : [1, 0]),
      },
    ],
  }));
  await writeVectors(deps.db, 'some:model', items);
  const pairs = { apiKeyId: w.apiKeyId, from: ['one'], to: ['one', 'two', 'three'] };
  expect([...(await deps.scorer.compareJudgments(pairs))]).toEqual([Number.NaN, 1, Number.NaN]);

  await addKnownFile(w, 'guide');
  const contentIds = (await listSearchedSources(deps.db, w, {})).map(({ contentId }) => contentId);
  const { model } = deps.outside.embeddings.current;
  const wanted = { contentIds, kinds: ['rule', 'chunk'] as const, limit: 5, model, itemIds: [] };
  const near = async (length: number) => {
    const vector = new Float32Array(length).fill(0.1);
    return (await deps.scorer.compareKnowledge({ ...wanted, apiKeyId: w.apiKeyId, vector })).nearest;
  };
  expect(await near(3)).toEqual([]);
  expect(await near(384)).not.toEqual([]);
});
